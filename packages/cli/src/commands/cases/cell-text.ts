/*
 * What stands in a cell, in a form that people can read and change, and that comes back as it was.
 */

/*
 * What a spreadsheet takes for a formula, and would run (OWASP, "CSV Injection"), goes out with an apostrophe before it,
 * which spreadsheets take for "this is text". Coming in, that apostrophe goes again; so that a text which has one of its
 * own keeps it, it gets another.
 */
const formulaPattern = /^'*[=+\-@\t\r\n＝＋－＠]/u
const escapedFormulaPattern = /^'+[=+\-@\t\r\n＝＋－＠]/u

export const escapeFormula = (text: string): string => (formulaPattern.test(text) ? `'${text}` : text)
export const unescapeFormula = (cell: string): string => (escapedFormulaPattern.test(cell) ? cell.slice(1) : cell)

export interface Step {
  readonly action: string
  readonly expected: string
}

/*
 *   1. Put a book into the basket
 *   => The basket shows it
 *   2. Pay by card,
 *       the one that is expired
 *   => An error
 *
 * Only a number and `=>` at the very beginning of a line mean something: further lines of a text are indented by four.
 */
const INDENT = '    '

export function formatSteps(steps: readonly Step[]): string {
  return steps
    .flatMap(({ action, expected }, index) => [
      `${index + 1}. ${indent(action)}`,
      ...(expected === '' ? [] : [`=> ${indent(expected)}`]),
    ])
    .join('\n')
}

const indent = (text: string) => text.replaceAll('\n', `\n${INDENT}`)

/** @returns the steps, or what is wrong with them */
export function parseSteps(cell: string): Step[] | string {
  const steps: { action: string[]; expected: string[] }[] = []
  let open: string[] | null = null
  const lines = cell === '' ? [] : cell.split('\n')
  for (const [index, line] of lines.entries()) {
    const [, start, text = ''] = /^(\d+\.|=>)(?: ([^]*))?$/.exec(line) ?? []
    const step = steps.at(-1)
    if (start !== undefined && start !== '=>') {
      open = [text]
      steps.push({ action: open, expected: [] })
    } else if (start === '=>' && step !== undefined && step.expected.length === 0) {
      open = step.expected
      open.push(text)
    } else if (open !== null && line.startsWith(INDENT)) {
      open.push(line.slice(INDENT.length))
    } else if (line.trim() === '' && (index === lines.length - 1 || isStart(lines[index + 1]))) {
      // People leave a line free between steps, or at the end.
    } else if (open === null || start === '=>') {
      return `line ${index + 1} of the steps must begin with “1. ”: ${JSON.stringify(line.slice(0, 60))}`
    } else {
      return `line ${index + 1} of the steps must begin with “2. ”, “=> ” or four spaces: ${JSON.stringify(line.slice(0, 60))}`
    }
  }
  return steps.map(({ action, expected }) => ({ action: action.join('\n'), expected: expected.join('\n') }))
}

const isStart = (line: string | undefined) => line !== undefined && /^(?:\d+\.|=>)(?: |$)/.test(line)

/** Words with commas between them; a comma or `\` within one stands behind a `\`. */
export const formatTags = (tags: readonly string[]): string =>
  tags.map((tag) => tag.replaceAll(/[\\,]/g, String.raw`\$&`)).join(', ')

export function parseTags(cell: string): string[] {
  const tags = ['']
  for (const [part] of cell.matchAll(/\\[\\,]|[^]/gu)) {
    if (part === ',') tags.push('')
    else tags.push((tags.pop() ?? '') + (part.length > 1 && part.startsWith('\\') ? part.slice(1) : part))
  }
  return tags.map((tag) => tag.trim()).filter((tag) => tag !== '')
}

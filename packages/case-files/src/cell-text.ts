import { escapeListItem, splitEscapedList } from './escaped-list.ts'

/*
 * A text that a spreadsheet would run as a formula (OWASP, "CSV Injection") gets an apostrophe in front, which
 * spreadsheets read as "this is text". The import removes one apostrophe, so a text that starts with one gets another.
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
 * Steps in a cell:
 *
 *   1. Put a book into the basket
 *   => The basket shows it
 *   2. Pay by card,
 *       the one that is expired
 *   => An error
 *
 * A number or `=>` has a meaning only at the beginning of a line: further lines of a text are indented.
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

/** @returns the steps, or an error message */
export function parseSteps(cell: string): Step[] | string {
  const steps: { action: string[]; expected: string[] }[] = []
  let currentText: string[] | null = null
  const lines = cell === '' ? [] : cell.split('\n')
  for (const [index, line] of lines.entries()) {
    const [, start, text = ''] = /^(\d+\.|=>)(?: ([^]*))?$/.exec(line) ?? []
    const step = steps.at(-1)
    if (start !== undefined && start !== '=>') {
      currentText = [text]
      steps.push({ action: currentText, expected: [] })
    } else if (start === '=>' && step !== undefined && step.expected.length === 0) {
      currentText = step.expected
      currentText.push(text)
    } else if (currentText !== null && line.startsWith(INDENT)) {
      currentText.push(line.slice(INDENT.length))
    } else if (line.trim() !== '' || (index < lines.length - 1 && !startsText(lines[index + 1]))) {
      // Empty lines are allowed between steps and at the end.
      const starts = currentText === null || start === '=>' ? '“1. ”' : '“2. ”, “=> ” or four spaces'
      return `line ${index + 1} of the steps must start with ${starts}: ${JSON.stringify(line.slice(0, 60))}`
    }
  }
  return steps.map(({ action, expected }) => ({ action: action.join('\n'), expected: expected.join('\n') }))
}

const startsText = (line: string | undefined) => line !== undefined && /^(?:\d+\.|=>)(?: |$)/.test(line)

/** Formats tags as one list: `payment, fast`. */
export const formatTags = (tags: readonly string[]): string => tags.map((tag) => escapeListItem(tag, ',')).join(', ')

export const parseTags = (cell: string): string[] => splitEscapedList(cell, ',')

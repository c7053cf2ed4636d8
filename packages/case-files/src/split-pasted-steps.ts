/** A step of a test case. */
export interface PastedStep {
  readonly action: string
  readonly expected: string
}

/** `1.`, `2)`, `(3)`, `Step 4:`, `-`, `*`, `•`. A number without a mark, as in "3 items are shown", is text. */
const NUMBERING = /^\s*(?:(?:step\s+)?\(?\d{1,3}[.):](?=\s|$)|step\s+\d{1,3}\b|[-*•–](?=\s))\s*/i

/**
 * Splits pasted text into steps, one per line. A tab, or ` => ` or ` → `, separates the action from the expected result.
 * Numbering is removed; empty lines are skipped. Cells of a spreadsheet may contain line breaks in quotes.
 */
export function splitPastedSteps(text: string): readonly PastedStep[] {
  return splitLines(text)
    .map(parseStep)
    .filter(({ action, expected }) => action !== '' || expected !== '')
}

/** Whether text is pasted as steps: several lines with text. One line is pasted into the field. */
export const isPastedAsSteps = (text: string): boolean => splitPastedSteps(text).length > 1

function parseStep(line: string): PastedStep {
  const separator = /\t| => | → /.exec(line)
  if (separator === null) return { action: clean(line), expected: '' }
  const action = line.slice(0, separator.index)
  const rest = line.slice(separator.index + separator[0].length)
  // A spreadsheet with a column of numbers.
  if (separator[0] === '\t' && /^\s*\d{1,3}\.?\s*$/.test(action)) return parseStep(rest)
  // Further columns, such as a comment, belong to the expected result.
  return { action: clean(action), expected: unquote(rest.replaceAll('\t', ' ').trim()) }
}

const clean = (text: string) => unquote(text.trim()).replace(NUMBERING, '').trim()

/** Spreadsheets quote cells that contain line breaks or quotes. */
function unquote(text: string): string {
  return /^"(?:[^"]|"")*"$/.test(text) && /\n|""/.test(text) ? text.slice(1, -1).replaceAll('""', '"').trim() : text
}

/** Splits at line breaks, except within a quoted cell of a line that contains tabs. */
function splitLines(text: string): string[] {
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n')
  if (!text.includes('\t')) return lines
  const joined: string[] = []
  let open: string | null = null
  for (const line of lines) {
    const current: string = open === null ? line : `${open}\n${line}`
    open = hasOpenQuote(current) ? current : null
    if (open === null) joined.push(current)
  }
  // The quote was text after all.
  return open === null ? joined : [...joined, ...open.split('\n')]
}

const hasOpenQuote = (row: string) =>
  row.split('\t').some((cell) => cell.startsWith('"') && (cell.match(/"/g)?.length ?? 0) % 2 === 1)

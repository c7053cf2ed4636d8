import type { Step } from './cell-text.ts'

/** `1.`, `2)`, `(3)`, `Step 4:`, `-`, `*`, `•`. A number without a mark, as in "3 items are shown", is text. */
const NUMBERING = /^\s*(?:(?:step\s+)?\(?\d{1,3}[.):](?=\s|$)|step\s+\d{1,3}\b:?|[-*•–](?=\s))\s*/i
const EXPECTED = /^\s*(?:=>|->|→|expected(?: result)?:)\s*/i

/**
 * Reads steps as people and other tools write them: one per numbered line, or, without numbers, one per line. `=>` or an
 * arrow, in the line or in the one below, begins the expected result; other lines belong to the text above them.
 */
export function parseLooseSteps(cell: string): Step[] {
  const lines = cell.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
  const hasNumbers = lines.some((line) => NUMBERING.test(line))
  const steps: { action: string[]; expected: string[] | null }[] = []
  for (const line of lines) {
    const last = steps.at(-1)
    if (EXPECTED.test(line) && last !== undefined) {
      last.expected = [...(last.expected ?? []), line.replace(EXPECTED, '').trim()]
    } else if (last === undefined || !hasNumbers || NUMBERING.test(line)) {
      const [action = '', ...expected] = line.replace(NUMBERING, '').split(/\s+(?:=>|→)\s+/)
      steps.push({ action: [action.trim()], expected: expected.length === 0 ? null : [expected.join(' => ').trim()] })
    } else {
      const text = last.expected ?? last.action
      text.push(line.trim())
    }
  }
  return steps.map(({ action, expected }) => ({ action: action.join('\n'), expected: (expected ?? []).join('\n') }))
}

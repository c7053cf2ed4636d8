import type { CaseRecord } from '../../records.ts'

type Part = 'action' | 'expected' | 'precondition'

/** Headings of the templates of Kiwi TCMS, and others that people write. */
const HEADINGS: readonly (readonly [Part, RegExp])[] = [
  ['action', /^(?:(?:test )?(?:steps|actions?|procedure)|steps to (?:perform|reproduce))$/i],
  ['expected', /^(?:expected (?:results?|behaviou?r|outcome)|results?)$/i],
  ['precondition', /^(?:set-?up|pre-?conditions?|pre-?requisites?|given)$/i],
]

/** `## Steps`, `**Actions**:` or `Steps:`, alone in its line. */
const HEADING_LINE = /^\s*(?:#{1,6}\s+(.+?)|\*\*(.+?)\*\*|(\p{L}[\p{L} -]{2,30}):)\s*:?\s*$/u

/** Splits the text of a test case by the headings that mean steps; without such a heading, all of it is the precondition. */
export function splitKiwiText(text: string): Pick<CaseRecord, 'precondition' | 'step_text' | 'descriptions'> {
  const parts: Record<Part, string[]> = { action: [], expected: [], precondition: [] }
  const others: string[] = []
  let current: string[] = others
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, ...headings] = HEADING_LINE.exec(line) ?? []
    const heading =
      headings
        .find((each) => each !== undefined)
        ?.replace(/:$/, '')
        .trim() ?? ''
    const part = HEADINGS.find(([, words]) => words.test(heading))?.[0]
    if (part !== undefined) current = parts[part]
    else {
      // Another heading ends the steps.
      if (heading !== '') current = others
      current.push(line)
    }
  }
  const toText = (lines: readonly string[]) => lines.join('\n').trim()
  const action = toText(parts.action)
  if (action === '') return { precondition: text.trim(), step_text: null, descriptions: [] }
  return {
    precondition: toText(parts.precondition),
    step_text: { rule: 'numbered', action, expected: toText(parts.expected) },
    descriptions: [{ heading: 'Description', text: toText(others) }],
  }
}

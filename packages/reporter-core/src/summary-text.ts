import { toSingleLine } from '@caseward/ci-run/plain-text'

/** Number of examples that are listed, and the maximum length of each. */
export const MAX_EXAMPLES = 3
export const MAX_EXAMPLE_LENGTH = 100

/** Formats a count with examples, such as `2 tests have no matching test case (“a”, “b”)`. */
export function formatGroup(members: readonly string[], { one, many }: { one: string; many: string }): string[] {
  if (members.length === 0) return []
  const more = members.length > MAX_EXAMPLES ? ', …' : ''
  const examples = members.slice(0, MAX_EXAMPLES).join(', ')
  return [`${members.length} ${members.length === 1 ? one : many} (${examples}${more})`]
}

export const quote = (name: string) => `“${name}”`

/** Formats a text of the server as one line that ends with a period. */
export function toSentence(text: string): string {
  const line = toSingleLine(text, 500)
  return /[.!?…]$/.test(line) ? line : `${line}.`
}

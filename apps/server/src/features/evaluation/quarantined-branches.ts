/**
 * Whether a quarantine holds for a run. Its branches are patterns with `*`; none for all branches.
 * @param branches the branches that the run is of: its own, and the one into which it would be merged
 */
export function holdsFor(
  { branches: patterns }: { branches: readonly string[] },
  branches: readonly string[],
): boolean {
  return patterns.length === 0 || branches.some((branch) => patterns.some((pattern) => matchesPattern(pattern, branch)))
}

/** Whether a text matches a pattern, in which `*` is any text. It takes time in proportion to both lengths at most. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return text === pattern
  if (!text.startsWith(first)) return false
  let position = first.length
  for (const part of rest) {
    const found = text.indexOf(part, position)
    if (found === -1) return false
    position = found + part.length
  }
  return text.length - last.length >= position && text.endsWith(last)
}

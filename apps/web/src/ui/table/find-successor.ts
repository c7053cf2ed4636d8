/**
 * Finds the row that becomes the current one when that is deleted, moved or filtered out: the next one that is still there,
 * or else the one before.
 * @returns its id; null if there is none
 */
export function findSuccessor(before: readonly string[], after: readonly string[], id: string): string | null {
  const index = before.indexOf(id)
  if (index === -1) return null
  const left = new Set(after)
  const isLeft = (other: string) => left.has(other)
  return before.slice(index + 1).find(isLeft) ?? before.slice(0, index).findLast(isLeft) ?? null
}

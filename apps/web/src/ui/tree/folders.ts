/** A folder as the API returns it. */
export interface TreeFolder {
  id: string
  name: string
  /** Null at the top. */
  parentId: string | null
  /** What is in it, shown at the end of its line. */
  count?: number
}

/** The id of the invisible folder that contains those at the top. */
export const ROOT_ID = 'root'

/** Groups the folders by their parent. The order within a parent is that of the list. */
export function groupByParent(folders: readonly TreeFolder[]): Map<string, string[]> {
  const ids = new Set(folders.map(({ id }) => id))
  const children = new Map<string, string[]>()
  for (const { id, parentId } of folders) {
    // A parent that has not arrived yet must not hide its folders.
    const parent = parentId !== null && ids.has(parentId) ? parentId : ROOT_ID
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [id])
    else siblings.push(id)
  }
  return children
}

/**
 * Finds the next name that begins with what was typed, after the current one, around the end.
 * @returns its index, or -1
 */
export function findByPrefix(names: readonly string[], current: number, typed: string): number {
  const prefix = typed.toLocaleLowerCase()
  // While a word is typed, the current name may go on matching.
  const start = prefix.length > 1 ? current : current + 1
  for (let step = 0; step < names.length; step += 1) {
    const index = (start + step) % names.length
    if (names[index]?.toLocaleLowerCase().startsWith(prefix) === true) return index
  }
  return -1
}

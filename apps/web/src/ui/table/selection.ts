/** The ids of the selected rows, which may include rows that no filter shows. */
export type Selection = ReadonlySet<string>

/** Whether all, some or none of the rows are selected. */
export function getHeadState(selection: Selection, ids: readonly string[]): boolean | 'mixed' {
  if (selection.size === 0 || ids.length === 0) return false
  const isSelected = (id: string) => selection.has(id)
  return ids.every(isSelected) || (ids.some(isSelected) ? 'mixed' : false)
}

export function toggle(selection: Selection, id: string): Selection {
  const next = new Set(selection)
  if (!next.delete(id)) next.add(id)
  return next
}

/** Adds or removes all rows between two, both included. */
export function setRange(
  selection: Selection,
  ids: readonly string[],
  [from, to]: readonly [number, number],
  isSelected: boolean,
): Selection {
  const next = new Set(selection)
  for (const id of ids.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (isSelected) next.add(id)
    else next.delete(id)
  }
  return next
}

/** Ids of what has changed, up to a maximum. */
export interface IdSet {
  readonly ids: Set<string>
  /** Whether there are more than the maximum; then `ids` is empty. */
  more: boolean
}

export const createIdSet = (): IdSet => ({ ids: new Set(), more: false })

/** @param ids null for more than the maximum */
export function addIds(set: IdSet, ids: readonly string[] | null, maximum: number): void {
  for (const id of ids ?? []) if (!set.more) set.ids.add(id)
  if (ids !== null && set.ids.size <= maximum) return
  set.more = true
  set.ids.clear()
}

export const isEmpty = ({ ids, more }: IdSet): boolean => ids.size === 0 && !more

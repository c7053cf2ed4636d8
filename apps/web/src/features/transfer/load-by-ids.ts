/** How to read items of a list on the server. */
export interface ItemSource<Item> {
  /** Reads a page of 100 items, from 1. */
  readPage(page: number): Promise<{ readonly items: readonly Item[]; readonly total: number }>
  /** Reads one item; null if it was deleted. */
  readOne(id: string): Promise<Item | null>
}

interface LoadOptions {
  /** Called with the number of items that have arrived. */
  onProgress: (count: number) => void
  signal: AbortSignal
}

export const ITEMS_PER_PAGE = 100
/** Requests that are sent at the same time. */
const PARALLEL = 4

/**
 * Reads items with certain ids: page by page, or one by one if they are few of many. What was deleted meanwhile is missing.
 * @param total the number of items of the list, or more
 */
export async function loadByIds<Item extends { readonly id: string }>(
  ids: readonly string[],
  total: number,
  source: ItemSource<Item>,
  { onProgress, signal }: LoadOptions,
): Promise<ReadonlyMap<string, Item>> {
  const wanted = new Set(ids)
  const found = new Map<string, Item>()
  const add = (items: readonly Item[]) => {
    for (const item of items) if (wanted.has(item.id)) found.set(item.id, item)
    onProgress(found.size)
  }
  // Filters make the pages fewer: the first reply tells how many there are.
  let lastPage = wanted.size <= total / ITEMS_PER_PAGE ? 0 : Math.ceil(total / ITEMS_PER_PAGE)
  for (let page = 1; page <= lastPage && found.size < wanted.size; page += PARALLEL) {
    signal.throwIfAborted()
    const count = Math.min(PARALLEL, lastPage - page + 1)
    const read = await Promise.all(Array.from({ length: count }, (_, index) => source.readPage(page + index)))
    for (const { items } of read) add(items)
    lastPage = Math.ceil((read[0]?.total ?? 0) / ITEMS_PER_PAGE)
  }
  // Also those that moved to another page between two requests, because others were deleted.
  const missing = ids.filter((id) => !found.has(id))
  for (let index = 0; index < missing.length; index += PARALLEL) {
    signal.throwIfAborted()
    const read = await Promise.all(missing.slice(index, index + PARALLEL).map((id) => source.readOne(id)))
    add(read.filter((item) => item !== null))
  }
  return found
}

import { describe, expect, it } from 'vitest'

import { type ItemSource, loadByIds } from './load-by-ids.ts'

interface Item {
  readonly id: string
}

/** A list on a server, which counts the requests. */
function createSource(count: number, getPageItems = (items: readonly Item[]) => items) {
  const items = Array.from({ length: count }, (_, index) => ({ id: String(index) }))
  const pages: number[] = []
  const ones: string[] = []
  const source: ItemSource<Item> = {
    async readPage(page) {
      pages.push(page)
      return await Promise.resolve({ items: getPageItems(items.slice((page - 1) * 100, page * 100)), total: count })
    },
    async readOne(id) {
      ones.push(id)
      return await Promise.resolve(items.find((item) => item.id === id) ?? null)
    },
  }
  return { source, pages, ones }
}
const createOptions = () => {
  const shares: number[] = []
  return { shares, onProgress: (count: number) => void shares.push(count), signal: new AbortController().signal }
}
const range = (count: number) => Array.from({ length: count }, (_, index) => String(index))

describe('loadByIds', () => {
  it('reads all pages if many items are wanted, and tells how many have arrived', async () => {
    const { source, pages, ones } = createSource(950)
    const options = createOptions()
    const found = await loadByIds(range(950), 950, source, options)
    expect([found.size, pages, ones]).toEqual([950, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], []])
    expect(options.shares.at(-1)).toBe(950)
  })

  it('reads items one by one if they are few of many', async () => {
    const { source, pages, ones } = createSource(2000)
    const found = await loadByIds(['7', '1999', '5000'], 2000, source, createOptions())
    expect([[...found.keys()], pages, ones]).toEqual([['7', '1999'], [], ['7', '1999', '5000']])
  })

  it('stops after the pages that a filter leaves', async () => {
    const { source, pages } = createSource(150)
    const found = await loadByIds(range(150), 10_000, source, createOptions())
    expect(found.size).toBe(150)
    // The first four are read at the same time.
    expect(pages).toEqual([1, 2, 3, 4])
  })

  it('finds items that moved to another page meanwhile', async () => {
    const { source, ones } = createSource(100, (items) => items.filter(({ id }) => id !== '50'))
    expect((await loadByIds(range(100), 100, source, createOptions())).size).toBe(100)
    expect(ones).toEqual(['50'])
  })

  it('stops when it is aborted', async () => {
    const { source } = createSource(100)
    const options = { ...createOptions(), signal: AbortSignal.abort() }
    await expect(loadByIds(range(100), 100, source, options)).rejects.toThrow(/abort/)
  })
})

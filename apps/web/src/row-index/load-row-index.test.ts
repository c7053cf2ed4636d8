import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { loadRowIndex, type RowSource, SHOW_EVERY_MS } from './load-row-index.ts'
import { applyLiveRows, removeRows, type RowIndex } from './row-index.ts'

interface Row {
  readonly id: string
  readonly value: number
  readonly changedAt: number
}

/** A list on a server that changes while it is read. `pageSize` stands for 2,000. */
function createList(pageSize: number) {
  let now = 1
  let rows: readonly Row[] = []
  let requestCount = 0
  const toTime = (time: number) => new Date(time).toISOString()
  const source: RowSource<Row> = {
    async readPage({ after, changed_since, per_page }) {
      requestCount += 1
      const matching = rows.filter((row) => changed_since === undefined || row.changedAt >= Date.parse(changed_since))
      const start = after === undefined ? 0 : matching.findIndex(({ id }) => id > after)
      const page = start === -1 ? [] : matching.slice(start, start + Math.min(pageSize, per_page))
      const hasMore = start !== -1 && start + page.length < matching.length
      const result = { rows: page, total: matching.length, nextAfter: hasMore ? (page.at(-1)?.id ?? null) : null }
      const readAt = toTime(now)
      // Others change the list between two requests.
      await Promise.resolve()
      list.onRead()
      return { ...result, readAt }
    },
  }
  const list = {
    source,
    onRead: () => {},
    countRequests: () => requestCount,
    getRows: () => rows,
    /** Adds or changes a row. @returns the row, as a live update contains it */
    set(id: string, value: number): Row {
      now += 1
      const row = { id, value, changedAt: now }
      rows = [...rows.filter((other) => other.id !== id), row].toSorted((a, b) => (a.id < b.id ? -1 : 1))
      return row
    },
    remove(id: string) {
      rows = rows.filter((row) => row.id !== id)
    },
  }
  return list
}

const byId = (rows: readonly Row[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))

function createPage() {
  const page = { index: undefined as RowIndex<Row> | undefined, sizes: [] as number[] }
  const load = async (source: RowSource<Row>) => {
    page.index = await loadRowIndex(source, {
      getShown: () => page.index,
      show: (index) => {
        page.index = index
        page.sizes.push(index.rows.length)
      },
    })
  }
  return { page, load }
}

describe('loadRowIndex', () => {
  it('reads all rows again if they need further custom fields, and otherwise only what has changed', async () => {
    const list = createList(1)
    const ids = ['a', 'b', 'c', 'd', 'e', 'f']
    for (const id of ids) list.set(id, 1)
    const { page, load } = createPage()
    const loadWith = async (columns: readonly string[]) => {
      const before = list.countRequests()
      await load({ ...list.source, columns })
      expect(page.index?.columns).toEqual(columns)
      return list.countRequests() - before
    }
    expect(await loadWith(['risk'])).toBe(6)
    list.set('b', 2)
    expect(await loadWith(['risk'])).toBeLessThan(6)
    expect(await loadWith(['risk', 'severity'])).toBe(6)
    expect(await loadWith(['severity'])).toBeLessThan(6)
    expect(byId(page.index?.rows ?? []).map(({ value }) => value)).toEqual([1, 2, 1, 1, 1, 1])
  })

  it('shows the first page at once and others after a moment, and is complete after the last one', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const list = createList(1)
    list.onRead = () => vi.advanceTimersByTime(SHOW_EVERY_MS / 2)
    for (const id of ['a', 'b', 'c', 'd', 'e']) list.set(id, 1)
    const { page, load } = createPage()
    await load(list.source)
    expect(page.sizes).toEqual([1, 3])
    expect(page.index).toMatchObject({ total: 5, isComplete: true })
    expect(page.index?.rows).toEqual(list.getRows())
  })

  it('reads only what has changed when it is loaded again', async () => {
    const list = createList(2)
    for (const id of ['a', 'b', 'c', 'd', 'e']) list.set(id, 1)
    const { page, load } = createPage()
    await load(list.source)
    list.set('b', 2)
    list.set('f', 2)
    const before = list.countRequests()
    await load(list.source)
    expect(byId(page.index?.rows ?? [])).toEqual(list.getRows())
    expect(list.countRequests() - before).toBeLessThanOrEqual(3)
  })

  it('reads everything again when rows were deleted, without showing fewer rows meanwhile', async () => {
    const list = createList(2)
    for (const id of ['a', 'b', 'c', 'd', 'e']) list.set(id, 1)
    const { page, load } = createPage()
    await load(list.source)
    page.sizes = []
    list.remove('c')
    list.set('f', 1)
    await load(list.source)
    expect(byId(page.index?.rows ?? [])).toEqual(list.getRows())
    expect(page.sizes).toEqual([])
  })

  it('ends with the rows of the server when rows change during a load and live updates report them', async () => {
    const change = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), value: fc.integer() })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 12 }), async (rounds) => {
        const list = createList(2)
        for (const id of ['a', 'c', 'e', 'g']) list.set(id, 0)
        const { page, load } = createPage()
        const remaining = [...rounds]
        list.onRead = () => {
          for (const { id, value } of remaining.shift() ?? []) {
            const row = list.set(id, value)
            // A page without an index reads again after its first load, as `refreshQueries` does.
            if (page.index !== undefined) page.index = applyLiveRows(page.index, [row])
          }
        }
        await load(list.source)
        await load(list.source)
        await load(list.source)
        list.onRead = () => {}
        await load(list.source)
        expect(byId(page.index?.rows ?? [])).toEqual(list.getRows())
      }),
    )
  })
})

describe('removeRows', () => {
  it('removes rows and lowers the total', () => {
    const index = { rows: [{ id: 'a' }, { id: 'b' }], total: 5, isComplete: false, readAt: '', liveRows: new Map() }
    expect(removeRows(index, new Set(['b', 'x']))).toMatchObject({ rows: [{ id: 'a' }], total: 4 })
    expect(removeRows(index, new Set(['x']))).toBe(index)
  })
})

import { describe, expect, it } from 'vitest'

import { formatResults, parseNotification } from './change-notifications.ts'

const toId = (n: number) => `019aa5b6-3c41-7a4c-8f5e-${String(n).padStart(12, '0')}`
const makeChange = (n: number, ids: readonly string[] | null) => ({
  kind: 'results' as const,
  at: '2026-11-21T09:29:50.000Z',
  projectId: toId(0),
  runId: toId(n),
  ids,
})
const makeIds = (count: number) => Array.from({ length: count }, (_, index) => toId(1000 + index))

describe('formatResults', () => {
  it('formats changes that parseNotification returns unchanged, also without ids and with too many', () => {
    const changes = [makeChange(1, makeIds(2)), makeChange(2, []), makeChange(3, null)]
    const payloads = formatResults(changes)
    expect(payloads).toHaveLength(1)
    expect(payloads.flatMap(parseNotification)).toEqual(changes)
  })

  it.each([[1], [20], [40], [199], [200]])('never exceeds 7,999 bytes with 30 changes of %i results', (count) => {
    const changes = Array.from({ length: 30 }, (_, index) => makeChange(index, makeIds(count)))
    const payloads = formatResults(changes)
    expect(Math.max(...payloads.map((payload) => payload.length))).toBeLessThan(8000)
    expect(payloads.flatMap(parseNotification)).toHaveLength(30)
    // No two neighbours would fit into one.
    const sizes = payloads.map((payload) => payload.length)
    for (const [index, size] of sizes.slice(1).entries()) expect(size + (sizes[index] ?? 0)).toBeGreaterThan(7000)
  })

  it('formats attachments so that parseNotification returns them, and earlier versions read that no result has changed', () => {
    const change = { ...makeChange(1, makeIds(90)), kind: 'attachments' as const, testIds: makeIds(90) }
    const changes = [change, { ...change, ids: [], testIds: null }]
    const payloads = formatResults(changes)
    expect(Math.max(...payloads.map((payload) => payload.length))).toBeLessThan(8000)
    expect(payloads.flatMap(parseNotification)).toEqual(changes)
    const runs = payloads.flatMap((payload) => (JSON.parse(payload) as { runs: { ids: string }[] }).runs)
    expect(runs.map(({ ids }) => ids)).toEqual(['', ''])
  })

  it('formats nothing without changes', () => {
    expect(formatResults([])).toEqual([])
  })
})

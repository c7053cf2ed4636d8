import type { CombinationRow } from '@caseward/client/endpoints'
import { describe, expect, it } from 'vitest'

import { mergeWrite, type OutboxEntry } from './outbox-entry.ts'
import { writeTo } from './outbox-tab.test.helper.ts'
import { orderRelated } from './order-related.ts'
import { pickBatch } from './send-batch.ts'
import { showUnsentCombinations } from './show-unsent.ts'

const toEntry = (write: Parameters<typeof mergeWrite>[1], order: number) => mergeWrite(undefined, write, order)
const toMap = (entries: readonly OutboxEntry[]) => new Map(entries.map((entry) => [entry.id, entry]))

const chrome = {
  ...writeTo(1, 'failed'),
  place: 1,
  combinations: ['failed', 'not_tested'] as const,
  resultStatus: 'failed' as const,
}
const whole = writeTo(1, 'passed')

describe('unsent writes to combinations', () => {
  it('are kept apart from those to their result and to other combinations', () => {
    const ids = [chrome, { ...chrome, place: 2 }, whole].map((write) => toEntry(write, 1).id)
    expect(new Set(ids).size).toBe(3)
  })

  it('are sent alone, and before later writes to the same result', () => {
    const [first, second, third] = [toEntry(writeTo(2, 'passed'), 1), toEntry(chrome, 2), toEntry(whole, 3)]
    expect(pickBatch([first, second, third], 100)).toEqual([first])
    expect(pickBatch([second, third], 100)).toEqual([second])
    expect(pickBatch([third], 100)).toEqual([third])
    const note = toEntry({ ...writeTo(3, 'failed', { note: 'Why' }), keepsStatus: true }, 4)
    expect(pickBatch([third, note], 100)).toEqual([third])
  })

  it('follow an earlier write to their result, and come before a later one, whose own changes are no conflict', () => {
    const earlier = toEntry(whole, 1)
    const later = orderRelated(toEntry(chrome, 2), [earlier], 2)
    expect(later).toMatchObject({ order: 2, attempts: [{ status: 'passed' }] })
    // The result is written once more: it must not be sent before the combination.
    const again = orderRelated(mergeWrite(earlier, writeTo(1, 'retest'), 3), [earlier, later], 3)
    expect(again).toMatchObject({ order: 3, attempts: [{ status: 'failed' }] })
    expect(orderRelated(earlier, [toEntry(writeTo(2, 'failed'), 2)], 9)).toBe(earlier)
  })

  it('are shown in the order in which they are sent, except those that conflict', () => {
    const row: CombinationRow = {
      id: 'r1',
      tested_at: null,
      places: [1, 3],
      configurations: [1, 3],
      statuses: ['not_tested', 'not_tested'],
    }
    const show = (...entries: OutboxEntry[]) => showUnsentCombinations([row], 'run1', toMap(entries))[0]?.statuses
    expect(show(toEntry(chrome, 1))).toEqual(['failed', 'not_tested'])
    expect(show(toEntry(whole, 1), toEntry(chrome, 2))).toEqual(['failed', 'passed'])
    expect(show(toEntry({ ...whole, keepsStatus: true }, 1))).toEqual(['not_tested', 'not_tested'])
    const problem = { kind: 'newer-result', message: '', newer: null } as const
    expect(show({ ...toEntry(chrome, 1), problem })).toEqual(['not_tested', 'not_tested'])
    expect(showUnsentCombinations([row], 'another run', toMap([toEntry(chrome, 1)]))[0]).toBe(row)
  })
})

import type { ResultStatus } from '@caseward/client/endpoints'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { mergeWrite, type OutboxEntry } from '../../outbox/outbox-entry.ts'
import { countStatuses, countTested, mergeStatusCounts } from './count-statuses.ts'

const status = fc.constantFrom<ResultStatus>('passed', 'failed', 'blocked', 'retest', 'not_tested')

function entry(
  resultId: string,
  newStatus: ResultStatus,
  problem: OutboxEntry['problem'] = null,
): [string, OutboxEntry] {
  const write = { runId: 'run1', resultId, testCaseId: 'WEB-1', title: '', status: newStatus, base: null }
  return [`run1/${resultId}`, { ...mergeWrite(undefined, write, 1), problem }]
}

describe('mergeStatusCounts', () => {
  it('moves a result with an unsent write to its new status', () => {
    const rows = [
      { id: 'r1', status: 'not_tested' as const },
      { id: 'r2', status: 'passed' as const },
    ]
    const stats = { passed: 10, failed: 0, blocked: 0, retest: 0, not_tested: 5 }
    const entries = new Map([entry('r1', 'failed')])
    expect(mergeStatusCounts(stats, 'run1', rows, false, entries)).toEqual({ ...stats, failed: 1, not_tested: 4 })
    expect(mergeStatusCounts(stats, 'run1', rows, true, entries)).toEqual({
      passed: 1,
      failed: 1,
      blocked: 0,
      retest: 0,
      not_tested: 0,
    })
  })

  it('counts the newer result of a conflict', () => {
    const problem = { kind: 'newer-result' as const, message: '', newer: null }
    const rows = [{ id: 'r1', status: 'blocked' as const }]
    expect(
      mergeStatusCounts(countStatuses(rows), 'run1', rows, true, new Map([entry('r1', 'passed', problem)])),
    ).toEqual(countStatuses(rows))
  })

  it('keeps the total of a complete run, and ignores writes to other runs', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(status, fc.option(status))), (pairs) => {
        const rows = pairs.map(([own], index) => ({ id: `r${index}`, status: own }))
        const entries = new Map(
          pairs.flatMap(([, unsent], index) => (unsent === null ? [] : [entry(`r${index}`, unsent)])),
        )
        const expected = countStatuses(
          pairs.map(([own, unsent], index) => ({ id: `r${index}`, status: unsent ?? own })),
        )
        const stats = countStatuses(rows)
        expect(mergeStatusCounts(stats, 'run1', rows, true, entries)).toEqual(expected)
        expect(mergeStatusCounts(stats, 'run1', rows, false, entries)).toEqual(expected)
        expect(mergeStatusCounts(stats, 'run2', rows, true, entries)).toEqual(stats)
      }),
    )
  })
})

describe('countTested', () => {
  it('leaves out what is not tested', () => {
    expect(countTested({ passed: 1, failed: 2, blocked: 3, retest: 4, not_tested: 5 })).toBe(10)
  })
})

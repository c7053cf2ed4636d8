import { describe, expect, it } from 'vitest'

import type { Evaluation } from './failure-queries.ts'
import { describeCounts, describeEvaluation, verdictOrder } from './verdict-words.ts'

const describeWith = (blocking_count: number, failed: number, errors = 0, executed = 1204) =>
  describeEvaluation({
    blocking_count,
    suite_error_count: errors,
    tests: { executed, passed: executed - failed, failed, skipped: 0 },
  } as Evaluation)

describe('the words of an evaluation', () => {
  it('say how much blocks, or why nothing does', () => {
    expect(describeWith(2, 6)).toBe('2 failures block')
    expect(describeWith(1, 1)).toBe('1 failure blocks')
    expect(describeWith(1, 0, 1)).toBe('1 failure or error blocks')
    expect(describeWith(12_000, 12_000, 2)).toBe('12,000 failures or errors block')
    expect(describeWith(0, 6)).toBe('None of 6 failures blocks')
    expect(describeWith(0, 0)).toBe('All 1,204 tests passed')
    expect(describeWith(0, 0, 0, 0)).toBe('No test was executed')
  })

  it('count verdicts, what blocks first, and leave out those that no test has', () => {
    expect(describeCounts({ fixed: 1, new: 2000, changed: 0 })).toBe('2,000 new · 1 fixed')
    expect(verdictOrder.slice(0, 2)).toEqual(['new', 'changed'])
  })
})

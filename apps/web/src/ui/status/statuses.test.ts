import fc from 'fast-check'
import { expect, it } from 'vitest'

import { describeCounts, divideBar, type StatusCounts } from './statuses.ts'

const none: StatusCounts = { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 }

it('describes counts in words, without statuses that have no results', () => {
  expect(describeCounts({ ...none, passed: 1340, not_tested: 2 })).toBe('1,340 passed, 2 not tested')
  expect(describeCounts(none)).toBe('No results')
})

it('divides a bar by the counts, and shows one failed result of 10,000', () => {
  const parts = divideBar({ ...none, passed: 9999, failed: 1 })
  expect(parts.map(({ status }) => status)).toEqual(['passed', 'failed'])
  expect(parts[1]?.percent).toBeGreaterThan(0.9)
  expect(divideBar(none)).toEqual([])
})

it('fills the bar exactly, whatever the counts are', () => {
  const count = fc.nat({ max: 1_000_000 })
  const counts = fc.record({ passed: count, failed: count, blocked: count, retest: count, not_tested: count })
  fc.assert(
    fc.property(counts, (value) => {
      const sum = divideBar(value).reduce((width, { percent }) => width + percent, 0)
      expect(sum).toBeCloseTo(Object.values(value).some((number) => number > 0) ? 100 : 0)
    }),
  )
})

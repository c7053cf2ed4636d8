import type { Stability } from '@caseward/contract/stability'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { computeScore, deriveStability, listQuietPeriods } from './derive-stability.ts'

const HOUR_MS = 3_600_000
const START = Date.parse('2026-01-01T00:00:00Z')
const at = (days: number) => new Date(START + days * 24 * HOUR_MS)
const derive = (eventDays: readonly number[], nowDay: number, executions = 0): Stability =>
  deriveStability({ events: eventDays.map(at), baseOutcomes: [], countExecutions: () => executions }, at(nowDay))

describe('computeScore', () => {
  it.each([
    [2, 2, 55],
    [10, 20, 36],
    [2, 10, 9],
    [5, 50, 6],
    [3, 41, 4],
    [2, 300, 0],
    [0, 0, 0],
    [0, 50, 0],
  ])('returns the lower bound of %i of %i commits: %i', (flakes, commits, score) => {
    expect(computeScore(flakes, commits)).toBe(score)
  })

  it('returns the share whose upper bound is the observed share', () => {
    // The bound solves (p - x)² = z²·x(1 - x)/n: found here by halving, without the formula.
    const findBound = (share: number, n: number): number => {
      let [low, high] = [0, share]
      for (let step = 0; step < 60; step++) {
        const middle = (low + high) / 2
        if ((share - middle) ** 2 > (1.28 ** 2 * middle * (1 - middle)) / n) low = middle
        else high = middle
      }
      return low
    }
    const counts = fc
      .integer({ min: 1, max: 500 })
      .chain((n) => fc.tuple(fc.integer({ min: 1, max: n }), fc.constant(n)))
    fc.assert(
      fc.property(counts, ([flakes, n]) => {
        const bound = 100 * findBound(flakes / n, n)
        expect(Math.abs(computeScore(flakes, n) - bound)).toBeLessThanOrEqual(0.5 + 1e-6)
      }),
    )
  })
})

describe('deriveStability', () => {
  it.each<[string, Stability, readonly number[], number, number?]>([
    ['no event', 'stable', [], 0],
    ['one event', 'suspect', [0], 1],
    ['two events', 'flaky', [0, 1], 2],
    ['two events that are 31 days apart', 'suspect', [0, 31], 32],
    ['one event, also after many executions: it never was flaky', 'suspect', [0], 20, 500],
    ['one event 30 days ago', 'stable', [0], 30],
    ['14 days without an event, and 99 executions', 'flaky', [0, 1], 16, 99],
    ['14 days without an event, and 100 executions', 'stable', [0, 1], 15, 100],
    ['less than 14 days without an event', 'flaky', [0, 1], 14.9, 500],
    ['fewer than two events in the window, while one is left', 'flaky', [0, 10], 31, 0],
    ['30 days without an event', 'stable', [0, 10], 40, 0],
    ['one newer event after it left', 'suspect', [0, 1, 20], 21, 100],
    ['one newer event after it left, once the older ones are out of the window', 'suspect', [0, 1, 20], 45, 100],
    ['two newer events after it left', 'flaky', [0, 1, 20, 21], 22, 100],
  ])('after %s, a test is %s', (_what, stability, events, now, executions) => {
    expect(derive(events, now, executions)).toBe(stability)
  })

  const failed = { hasFailed: true, isFlaky: false }
  it.each([
    ['broken', 'its three newest base runs failed', [failed, failed, failed, { hasFailed: false, isFlaky: false }]],
    ['flaky', 'one of them passed', [failed, { hasFailed: false, isFlaky: false }, failed]],
    ['flaky', 'one of them flaked', [failed, failed, { hasFailed: false, isFlaky: true }]],
    ['flaky', 'there are only two', [failed, failed]],
  ])('returns %s for a flaky test when %s', (stability, _what, baseOutcomes) => {
    const evidence = { events: [at(0), at(1)], baseOutcomes, countExecutions: () => 0 }
    expect(deriveStability(evidence, at(2))).toBe(stability)
  })

  it('agrees with a clock that looks at the test every hour, in any order of the events', () => {
    const hours = (max: number) => fc.uniqueArray(fc.integer({ min: 0, max }), { maxLength: 6 })
    const dense = fc.integer({ min: 0, max: 1600 }).map((from) => Array.from({ length: 100 }, (_, n) => from + n))
    const executions = fc.oneof(dense, hours(1800))
    fc.assert(
      fc.property(hours(1800), executions, executions, (events, first, second) => {
        const executed = [...first, ...second]
        const now = 1800
        const toDate = (hour: number) => new Date(START + hour * HOUR_MS)
        const countBetween = (from: number, to: number) => executed.filter((hour) => hour > from && hour < to).length
        const result = deriveStability(
          {
            events: events.map(toDate),
            baseOutcomes: [],
            countExecutions: ({ from, to }) =>
              countBetween((from.getTime() - START) / HOUR_MS, (to.getTime() - START) / HOUR_MS),
          },
          toDate(now),
        )
        expect(result).toBe(watch(events, now, countBetween))
      }),
      { numRuns: 500 },
    )
  })

  it('asks for executions only where they decide', () => {
    const days = listQuietPeriods([at(0), at(13), at(27), at(60)], at(75)).map(({ from }) => from)
    expect(days).toEqual([at(13), at(60)])
  })
})

/** The states of section "Stability" as a clock sees them, hour by hour. */
function watch(events: readonly number[], now: number, countBetween: (from: number, to: number) => number): Stability {
  let state: Stability = 'stable'
  let leftAt = -1
  for (let hour = 0; hour <= now; hour++) {
    // A test that has proven itself leaves at that moment, also when the next event comes in the same hour.
    const last = Math.max(...events.filter((event) => event < hour), -Infinity)
    const isProven = hour - last >= 14 * 24 && countBetween(last, hour) >= 100
    if (state === 'flaky' && (hour - last >= 30 * 24 || isProven)) {
      state = 'stable'
      leftAt = last
    }
    const recent = events.filter((event) => event <= hour && hour - event < 30 * 24)
    const newer = recent.filter((event) => event > leftAt).length
    if (state !== 'flaky') state = newer >= 2 ? 'flaky' : newer === 1 ? 'suspect' : 'stable'
  }
  return state
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { type Attempt, ATTEMPT_STATUSES, type AttemptStatus } from './attempt.ts'
import { getTestOutcome, toResultStatus } from './test-outcome.ts'

const makeAttempt = (status: AttemptStatus, elapsedMs: number | null = null): Attempt => ({
  status,
  elapsedMs,
  message: '',
  details: '',
  startedAt: null,
})
const getOutcome = (...statuses: AttemptStatus[]) => getTestOutcome(statuses.map((status) => makeAttempt(status)))

describe('getTestOutcome', () => {
  it.each(ATTEMPT_STATUSES)('returns the status of one %s attempt', (status) => {
    expect(getOutcome(status)).toEqual({ status, isFlaky: false, elapsedMs: null })
  })

  it.each<[AttemptStatus, boolean, AttemptStatus[]]>([
    ['passed', true, ['failed', 'passed']],
    ['passed', true, ['passed', 'failed']],
    ['passed', false, ['passed', 'passed']],
    ['passed', false, ['interrupted', 'passed']],
    ['passed', false, ['skipped', 'blocked', 'passed']],
    ['failed', false, ['failed', 'failed']],
    ['failed', false, ['skipped', 'interrupted', 'blocked', 'failed']],
    ['blocked', false, ['skipped', 'interrupted', 'blocked']],
    ['interrupted', false, ['skipped', 'interrupted']],
    ['skipped', false, ['skipped', 'skipped']],
  ])('returns %s (flaky: %s) for the attempts %j', (status, isFlaky, attempts) => {
    expect(getOutcome(...attempts)).toEqual({ status, isFlaky, elapsedMs: null })
  })

  it('adds up the times of all attempts, and returns null when none is known', () => {
    expect(getTestOutcome([makeAttempt('failed', 400), makeAttempt('passed', 0.5)]).elapsedMs).toBe(400.5)
    expect(getTestOutcome([makeAttempt('failed'), makeAttempt('passed', 0)]).elapsedMs).toBe(0)
    expect(getTestOutcome([makeAttempt('failed'), makeAttempt('passed')]).elapsedMs).toBeNull()
  })

  it('returns the same status and flakiness in any order of the attempts', () => {
    const attempts = fc.array(
      fc.constantFrom(...ATTEMPT_STATUSES).map((status) => makeAttempt(status)),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(attempts, (inOrder) => {
        expect(getTestOutcome([...inOrder].reverse())).toEqual(getTestOutcome(inOrder))
      }),
    )
  })
})

describe('toResultStatus', () => {
  it.each<[AttemptStatus, string]>([
    ['passed', 'passed'],
    ['failed', 'failed'],
    ['blocked', 'blocked'],
    ['interrupted', 'retest'],
    ['skipped', 'not_tested'],
  ])('returns for %s the status %s', (outcome, status) => {
    expect(toResultStatus(outcome)).toBe(status)
  })
})

import { createGuard, type SuiteError, type TestAttempt } from '@caseward/reporter-core'
import { describe, expect, it } from 'vitest'

import { createFileRecorder } from './read-events.ts'
import type { JestTestResult } from './framework-types.ts'

const file = { path: '/shop/cart.test.js' }
const result = (title: string, status: string, invocations = 1): JestTestResult => ({ title, status, invocations })

/** Records a file. Returns title, status and occurrence of each attempt. */
function record(
  early: JestTestResult[],
  last: JestTestResult[],
  focused = false,
  errors: SuiteError[] = [],
): [string, string, number][] {
  const attempts: TestAttempt[] = []
  const guard = createGuard('jest', (error) => errors.push(error))
  const isSelected = ({ title }: JestTestResult) => title !== 'filtered out'
  const recorder = createFileRecorder(file, '/shop', isSelected, (attempt) => attempts.push(attempt), guard)
  if (focused) recorder.markFocused()
  for (const earlyResult of early) recorder.recordEarlyResult(earlyResult)
  recorder.recordFinalResults(last)
  const getOccurrence = ({ testId }: TestAttempt) => Number(/(\d+)\]$/.exec(testId)?.[1])
  return attempts.map((attempt) => [attempt.titlePath.join(), attempt.status, getOccurrence(attempt)])
}

describe('FileRecorder', () => {
  it('records results once that are reported early and at the end', () => {
    const both = [result('a', 'passed'), result('b', 'failed')]
    expect(record(both, both)).toEqual([
      ['a', 'passed', 0],
      ['b', 'failed', 0],
    ])
  })

  it('records an error for a result with an unknown status, and the results after it', () => {
    const errors: SuiteError[] = []
    const results = [result('a', 'passed'), result('b', 'retried'), result('c', 'failed')]
    expect(record([], results, false, errors).map(([title]) => title)).toEqual(['a', 'c'])
    expect(errors).toMatchObject([{ location: 'cart.test.js', message: expect.stringContaining('“retried”') }])
  })

  it('records results that are reported only at the end', () => {
    expect(record([result('a', 'passed')], [result('a', 'passed'), result('b', 'pending')])).toEqual([
      ['a', 'passed', 0],
      ['b', 'skipped', 0],
    ])
  })

  it('records the attempts at a test with the same id', () => {
    const early = [result('a', 'failed'), result('a', 'failed', 2), result('a', 'passed', 3)]
    expect(record(early, [result('a', 'passed', 3)]).map(([, , occurrence]) => occurrence)).toEqual([0, 0, 0])
  })

  it('distinguishes tests with equal titles that are retried alternately', () => {
    const early = [result('a', 'failed'), result('a', 'failed'), result('a', 'failed', 2), result('a', 'passed', 3)]
    const late = [...early, result('a', 'passed', 2)]
    expect(record(late, [result('a', 'passed', 3), result('a', 'passed', 2)])).toEqual([
      ['a', 'failed', 0],
      ['a', 'failed', 1],
      ['a', 'failed', 0],
      ['a', 'passed', 0],
      ['a', 'passed', 1],
    ])
  })

  it('does not treat a result as a retry of a passed test with the same title', () => {
    const early = [result('a', 'passed'), result('a', 'failed'), result('a', 'failed', 2)]
    expect(record(early, [result('a', 'passed'), result('a', 'failed', 2)])).toEqual([
      ['a', 'passed', 0],
      ['a', 'failed', 1],
      ['a', 'failed', 1],
    ])
  })

  it('records each test with the same title when only some are reported early', () => {
    expect(record([result('a', 'passed')], [result('a', 'passed'), result('a', 'passed')])).toEqual([
      ['a', 'passed', 0],
      ['a', 'passed', 1],
    ])
  })

  it('records a late failure of a passed test with the same id', () => {
    expect(record([result('a', 'passed')], [result('a', 'failed')])).toEqual([
      ['a', 'passed', 0],
      ['a', 'failed', 0],
    ])
  })

  it('attributes a late failure to the test that has no other result', () => {
    const early = [result('a', 'passed'), result('a', 'passed')]
    expect(record(early, [result('a', 'failed'), result('a', 'passed')])).toEqual([
      ['a', 'passed', 0],
      ['a', 'passed', 1],
      ['a', 'failed', 1],
    ])
  })

  it('does not record tests that a filter excludes', () => {
    expect(record([], [result('filtered out', 'pending'), result('skipped', 'pending')])).toEqual([
      ['skipped', 'skipped', 0],
    ])
  })

  it('does not record skipped tests in a file with test.only', () => {
    const both = [result('a', 'passed')]
    expect(record(both, [...both, result('b', 'pending')], true)).toEqual([['a', 'passed', 0]])
  })
})

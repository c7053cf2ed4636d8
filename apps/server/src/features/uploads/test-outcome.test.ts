import type { TestAttempt } from '@caseward/junit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { makeAttempt, makeAttemptDetail } from '@caseward/test-support/attempts'
import { combineTests, getTestOutcome } from './test-outcome.ts'

const getOutcome = (attempts: TestAttempt[]) => getTestOutcome({ attempts })
const failed = (message: string, fields: Partial<TestAttempt> = {}) =>
  makeAttempt({ status: 'failed', details: [makeAttemptDetail('failure', { message })], ...fields })
const skipped = makeAttempt({ status: 'skipped', details: [makeAttemptDetail('skipped', { message: 'not today' })] })

describe('getTestOutcome', () => {
  it.each([
    ['passed', 'passed', makeAttempt()],
    ['failed', 'failed', failed('no')],
    ['skipped', 'not_tested', skipped],
  ])(
    'maps one %s attempt to the status %s',
    {
      tags: [
        'spec:results/passed-and-failed-what-a-run-of-a-test-says',
        'spec:upload/junit-outcomes-to-statuses-decided',
      ],
    },
    (_what, status, attempt) => {
      expect(getOutcome([attempt]).status).toBe(status)
    },
  )

  it.each<[string, string, TestAttempt[]]>([
    ['failed, passed', 'passed', [failed('no'), makeAttempt()]],
    ['passed, failed', 'passed', [makeAttempt(), failed('no')]],
    ['failed, failed', 'failed', [failed('no'), failed('no')]],
    ['skipped, failed', 'failed', [skipped, failed('no')]],
    ['failed, skipped', 'failed', [failed('no'), skipped]],
    ['skipped, passed', 'passed', [skipped, makeAttempt()]],
    ['skipped, skipped', 'not_tested', [skipped, skipped]],
  ])(
    'combines the attempts "%s" into the status %s',
    { tags: ['spec:upload/junit-outcomes-to-statuses-decided'] },
    (_what, status, attempts) => {
      expect(getOutcome(attempts).status).toBe(status)
    },
  )

  it('writes the number of attempts into the note when there are several', () => {
    expect(getOutcome([makeAttempt()]).note).toBeNull()
    expect(getOutcome([makeAttempt(), makeAttempt(), makeAttempt()]).note).toBe('Passed in 3 attempts.')
    expect(getOutcome([failed('first'), failed('second')]).note).toBe('Failed in 2 attempts.\n\nfirst\n\nsecond')
    expect(getOutcome([failed('first'), makeAttempt()]).note).toBe(
      'Flaky: passed after 1 of 2 attempts failed.\n\nfirst',
    )
    expect(getOutcome([skipped, skipped]).note).toMatch(/^2 attempts\./)
  })

  it.each(['flakyFailure', 'flakyError'] as const)(
    'returns passed with the note "Flaky" for a passed attempt with a %s element',
    (kind) => {
      const attempt = makeAttempt({ isFlaky: true, details: [makeAttemptDetail(kind, { message: 'timed out' })] })
      expect(getOutcome([attempt])).toMatchObject({
        status: 'passed',
        note: 'Flaky: passed after 1 of 2 attempts failed.\n\nFailed attempt: timed out',
      })
    },
  )

  it.each(['rerunFailure', 'rerunError'] as const)(
    'returns failed with the number of attempts for a failure with a %s element',
    (kind) => {
      const details = [
        makeAttemptDetail('failure', { message: 'no' }),
        makeAttemptDetail(kind, { message: 'no again' }),
      ]
      expect(getOutcome([makeAttempt({ status: 'failed', details })])).toMatchObject({
        status: 'failed',
        note: 'Failed in 2 attempts.\n\nno\n\nAnother attempt: no again',
      })
    },
  )

  it('writes type, message and text of the failure into the note without repetition', () => {
    const note = (type: string, message: string, text: string) =>
      getOutcome([makeAttempt({ status: 'failed', details: [makeAttemptDetail('error', { type, message, text })] })])
        .note
    expect(note('AssertionError', 'expected 1', 'at x.ts:3')).toBe('AssertionError: expected 1\nat x.ts:3')
    expect(note('AssertionError', 'expected 1', 'AssertionError: expected 1\n at x.ts:3')).toBe(
      'AssertionError: expected 1\n at x.ts:3',
    )
    expect(note('', 'expected 1', '')).toBe('expected 1')
    expect(note('AssertionError', '', '')).toBe('AssertionError')
    expect(note('', '', '')).toBeNull()
  })

  it('writes the failure before the other attempts into the note', () => {
    expect(getOutcome([skipped, failed('the reason')]).note).toMatch(
      /^2 attempts|^Failed in 2 attempts\.\n\nthe reason/,
    )
    expect(getOutcome([skipped, failed('the reason')]).note?.indexOf('the reason')).toBeLessThan(
      getOutcome([skipped, failed('the reason')]).note?.indexOf('not today') ?? 0,
    )
  })

  it('adds up the times of all attempts, and returns null when no attempt has a time', () => {
    expect(getOutcome([makeAttempt({ elapsedSeconds: 0.4 }), failed('x', { elapsedSeconds: 0.4 })]).seconds).toBe(0.8)
    expect(getOutcome([makeAttempt({ elapsedSeconds: 0.4 }), makeAttempt()]).seconds).toBe(0.4)
    expect(getOutcome([makeAttempt(), makeAttempt()]).seconds).toBeNull()
  })
})

describe('combineTests', () => {
  const status = fc.constantFrom('passed', 'failed', 'blocked', 'retest', 'not_tested')
  const worst = ['failed', 'blocked', 'retest', 'passed', 'not_tested'] as const
  const makeReportedTest = (name: string) => ({ classname: '', name, caseIds: [], attempts: [] })
  const entry = fc.record({
    test: fc.string().map(makeReportedTest),
    outcome: fc.record({
      status,
      note: fc.option(fc.string({ minLength: 1 })),
      seconds: fc.option(fc.nat(100_000)),
    }),
  })

  it(
    'returns the worst status, in the order failed, blocked, retest, passed, not_tested',
    { tags: ['spec:upload/junit-outcomes-to-statuses-decided'] },
    () => {
      fc.assert(
        fc.property(fc.array(entry, { minLength: 1 }), (entries) => {
          const expected = worst.find((candidate) => entries.some(({ outcome }) => outcome.status === candidate))
          expect(combineTests(entries).status).toBe(expected)
        }),
      )
    },
  )

  it('adds up the times of the tests', () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1 }), (entries) => {
        const times = entries.flatMap(({ outcome: { seconds } }) => (seconds === null ? [] : [seconds]))
        const total = times.length === 0 ? null : times.reduce((sum, time) => sum + time, 0)
        expect(combineTests(entries).seconds).toBe(total)
      }),
    )
  })

  it('prefixes every note with the name of its test, the worst first', () => {
    const makeTest = (name: string, testStatus: 'passed' | 'failed', note: string | null) => ({
      test: makeReportedTest(name),
      outcome: { status: testStatus, note, seconds: null },
    })
    const tests = [makeTest('a', 'passed', 'flaky'), makeTest('b', 'passed', null), makeTest('c', 'failed', 'no')]
    expect(combineTests(tests).note).toBe('c: no\n\na: flaky')
    expect(combineTests([makeTest('a', 'failed', 'no')]).note).toBe('no')
  })
})

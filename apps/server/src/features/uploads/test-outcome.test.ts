import type { TestAttempt } from '@caseward/junit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { makeAttempt, makeAttemptDetail } from '@caseward/test-support/attempts'
import { combineTests, fullName, groupAttempts, getTestOutcome } from './test-outcome.ts'

const outcome = (attempts: TestAttempt[]) => getTestOutcome({ classname: 'a', name: 'b', attempts })
const failed = (message: string, fields: Partial<TestAttempt> = {}) =>
  makeAttempt({ status: 'failed', details: [makeAttemptDetail('failure', { message })], ...fields })
const skipped = makeAttempt({ status: 'skipped', details: [makeAttemptDetail('skipped', { message: 'not today' })] })

describe('fullName', () => {
  it.each([
    ['shop.Cart', 'adds', 'shop.Cart.adds'],
    ['', 'adds', 'adds'],
  ])('of class %j and name %j is %j', (classname, name, full) => {
    expect(fullName({ classname, name })).toBe(full)
  })
})

describe('groupAttempts', () => {
  const grouped = async (attempts: TestAttempt[]) =>
    (await groupAttempts(attempts)).map((test) => test.attempts.map(({ line }) => line))

  it('takes the same classname and name again for another attempt at the same test', async () => {
    const attempts = [
      makeAttempt({ line: 1 }),
      makeAttempt({ line: 2, name: 'other' }),
      makeAttempt({ line: 3 }),
      makeAttempt({ line: 4, classname: 'other' }),
    ]
    expect(await grouped(attempts)).toEqual([[1, 3], [2], [4]])
  })

  it('never confuses classname and name', async () => {
    expect(
      await grouped([makeAttempt({ classname: 'a.b', name: 'c' }), makeAttempt({ classname: 'a', name: 'b.c' })]),
    ).toEqual([[1], [1]])
  })

  it('takes those whose properties name different test cases for different tests', async () => {
    const attempts = [
      makeAttempt({ line: 1, caseIds: ['WEB-1', 'WEB-2'] }),
      makeAttempt({ line: 2, caseIds: ['WEB-3'] }),
      makeAttempt({ line: 3, caseIds: ['WEB-2', 'WEB-1'] }),
    ]
    expect(await grouped(attempts)).toEqual([[1, 3], [2]])
  })

  it('takes one that names no test case for an attempt at the test before it', async () => {
    const attempts = [
      makeAttempt({ line: 1 }),
      makeAttempt({ line: 2, caseIds: ['WEB-1'] }),
      makeAttempt({ line: 3, caseIds: ['WEB-2'] }),
      makeAttempt({ line: 4 }),
    ]
    expect(await grouped(attempts)).toEqual([
      [1, 2],
      [3, 4],
    ])
  })

  it('groups 40,000 namesakes with an id each without getting slow', async () => {
    const start = performance.now()
    const attempts = Array.from({ length: 40_000 }, (_, index) => makeAttempt({ caseIds: [`WEB-${index}`] }))
    expect(await groupAttempts(attempts)).toHaveLength(40_000)
    expect(performance.now() - start).toBeLessThan(2000)
  })
})

describe('the outcome of a test', () => {
  it.each([
    ['passed', makeAttempt(), 'passed'],
    ['failed', failed('no'), 'failed'],
    ['skipped', skipped, 'not_tested'],
  ])(
    'of one attempt that %s is %s',
    {
      tags: [
        'spec:results/passed-and-failed-what-a-run-of-a-test-says',
        'spec:upload/junit-outcomes-to-statuses-decided',
      ],
    },
    (_what, attempt, status) => {
      expect(outcome([attempt]).status).toBe(status)
    },
  )

  it.each<[string, TestAttempt[], string]>([
    ['failed, passed', [failed('no'), makeAttempt()], 'passed'],
    ['passed, failed', [makeAttempt(), failed('no')], 'passed'],
    ['failed, failed', [failed('no'), failed('no')], 'failed'],
    ['skipped, failed', [skipped, failed('no')], 'failed'],
    ['failed, skipped', [failed('no'), skipped], 'failed'],
    ['skipped, passed', [skipped, makeAttempt()], 'passed'],
    ['skipped, skipped', [skipped, skipped], 'not_tested'],
  ])(
    'of the attempts %s is decided by any pass, then by any failure',
    { tags: ['spec:upload/junit-outcomes-to-statuses-decided'] },
    (_what, attempts, status) => {
      expect(outcome(attempts).status).toBe(status)
    },
  )

  it('says how many attempts there were when there was more than one', () => {
    expect(outcome([makeAttempt()]).note).toBeNull()
    expect(outcome([makeAttempt(), makeAttempt(), makeAttempt()]).note).toBe('Passed in 3 attempts.')
    expect(outcome([failed('first'), failed('second')]).note).toBe('Failed in 2 attempts.\n\nfirst\n\nsecond')
    expect(outcome([failed('first'), makeAttempt()]).note).toBe('Flaky: passed after 1 of 2 attempts failed.\n\nfirst')
    expect(outcome([skipped, skipped]).note).toMatch(/^2 attempts\./)
  })

  it.each(['flakyFailure', 'flakyError'] as const)('is passed with a note that says so after a %s', (kind) => {
    const attempt = makeAttempt({ flaky: true, details: [makeAttemptDetail(kind, { message: 'timed out' })] })
    expect(outcome([attempt])).toMatchObject({
      status: 'passed',
      note: 'Flaky: passed after 1 of 2 attempts failed.\n\nFailed attempt: timed out',
    })
  })

  it.each(['rerunFailure', 'rerunError'] as const)('is failed when a failure comes with a %s', (kind) => {
    const details = [makeAttemptDetail('failure', { message: 'no' }), makeAttemptDetail(kind, { message: 'no again' })]
    expect(outcome([makeAttempt({ status: 'failed', details })])).toMatchObject({
      status: 'failed',
      note: 'Failed in 2 attempts.\n\nno\n\nAnother attempt: no again',
    })
  })

  it('has type, message and text of the failure in its note, none of them twice', () => {
    const note = (type: string, message: string, text: string) =>
      outcome([makeAttempt({ status: 'failed', details: [makeAttemptDetail('error', { type, message, text })] })]).note
    expect(note('AssertionError', 'expected 1', 'at x.ts:3')).toBe('AssertionError: expected 1\nat x.ts:3')
    expect(note('AssertionError', 'expected 1', 'AssertionError: expected 1\n at x.ts:3')).toBe(
      'AssertionError: expected 1\n at x.ts:3',
    )
    expect(note('', 'expected 1', '')).toBe('expected 1')
    expect(note('AssertionError', '', '')).toBe('AssertionError')
    expect(note('', '', '')).toBeNull()
  })

  it('has the failure before the rest in its note', () => {
    expect(outcome([skipped, failed('the reason')]).note).toMatch(/^2 attempts|^Failed in 2 attempts\.\n\nthe reason/)
    expect(outcome([skipped, failed('the reason')]).note?.indexOf('the reason')).toBeLessThan(
      outcome([skipped, failed('the reason')]).note?.indexOf('not today') ?? 0,
    )
  })

  it('has the times of all attempts added up, and none when no attempt has one', () => {
    expect(outcome([makeAttempt({ elapsedSeconds: 0.4 }), failed('x', { elapsedSeconds: 0.4 })]).seconds).toBe(0.8)
    expect(outcome([makeAttempt({ elapsedSeconds: 0.4 }), makeAttempt()]).seconds).toBe(0.4)
    expect(outcome([makeAttempt(), makeAttempt()]).seconds).toBeNull()
  })
})

describe('the outcome of several tests on one case', () => {
  const status = fc.constantFrom('passed', 'failed', 'blocked', 'retest', 'not_tested')
  const worst = ['failed', 'blocked', 'retest', 'passed', 'not_tested'] as const
  const testCalled = (name: string) => ({ classname: '', name, attempts: [] })
  const entry = fc.record({
    test: fc.string().map(testCalled),
    outcome: fc.record({
      status,
      note: fc.option(fc.string({ minLength: 1 })),
      seconds: fc.option(fc.nat(100_000)),
    }),
  })

  it(
    'is the worst of theirs: failed, blocked, retest, passed, not_tested',
    { tags: ['spec:upload/junit-outcomes-to-statuses-decided'] },
    () => {
      fc.assert(
        fc.property(fc.array(entry, { minLength: 1 }), (entries) => {
          const expected = worst.find((one) => entries.some(({ outcome: { status: is } }) => is === one))
          expect(combineTests(entries).status).toBe(expected)
        }),
      )
    },
  )

  it('has their times added up', () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1 }), (entries) => {
        const times = entries.flatMap(({ outcome: { seconds } }) => (seconds === null ? [] : [seconds]))
        const total = times.length === 0 ? null : times.reduce((sum, time) => sum + time, 0)
        expect(combineTests(entries).seconds).toBe(total)
      }),
    )
  })

  it('has every note under the name of its test, the worst first', () => {
    const of = (name: string, is: 'passed' | 'failed', note: string | null) => ({
      test: testCalled(name),
      outcome: { status: is, note, seconds: null },
    })
    expect(combineTests([of('a', 'passed', 'flaky'), of('b', 'passed', null), of('c', 'failed', 'no')]).note).toBe(
      'c: no\n\na: flaky',
    )
    expect(combineTests([of('a', 'failed', 'no')]).note).toBe('no')
  })
})

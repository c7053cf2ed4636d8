import { describe, expect, it } from 'vitest'

import type { Attempt, AttemptStatus } from './attempt.ts'
import { MAX_NOTE_LENGTH } from './note.ts'
import { combineTestOutcomes } from './test-note.ts'

const makeAttempt = (status: AttemptStatus, message = '', details = '', elapsedMs: number | null = null): Attempt => ({
  status,
  elapsedMs,
  message,
  details,
  startedAt: null,
})
const combine = (...attempts: Attempt[]) => combineTestOutcomes([{ name: 'Cart > adds up', attempts }])
const passed = makeAttempt('passed')

describe('combineTestOutcomes, for one test', () => {
  it('returns no note for a passed attempt', () => {
    expect(combine(makeAttempt('passed', '', '', 1500))).toEqual({ status: 'passed', note: null, seconds: 1.5 })
  })

  it.each<[string, string, string, string | null]>([
    ['message and details', 'expected 1', 'at x.ts:3', 'expected 1\nat x.ts:3'],
    [
      'details that begin with the message',
      'expected 1',
      'Error: expected 1\n  at x.ts:3',
      'Error: expected 1\n  at x.ts:3',
    ],
    ['only a message', ' expected 1\n', '', 'expected 1'],
    ['a message and blank details', 'expected 1', ' \n ', 'expected 1'],
    ['details with blank lines around them', '', '\n\n  at x.ts:3\n\n', '  at x.ts:3'],
    ['neither', '', '', null],
  ])('writes %s into the note without repetition', (_what, message, details, note) => {
    expect(combine(makeAttempt('failed', message, details))).toEqual({ status: 'failed', note, seconds: null })
  })

  it('says why a test was skipped', () => {
    expect(combine(makeAttempt('skipped', 'not today'))).toMatchObject({
      status: 'not_tested',
      note: 'Skipped: not today',
    })
  })

  it('writes the number of attempts and what each of them says', () => {
    const [first, second] = [makeAttempt('failed', 'first'), makeAttempt('failed', 'second')]
    expect(combine(first, second).note).toBe('Failed in 2 attempts.\n\nAttempt 1: first\n\nAttempt 2: second')
    expect(combine(first, passed).note).toBe('Flaky: passed after 1 of 2 attempts failed.\n\nAttempt 1: first')
    expect(combine(passed, passed).note).toBe('Passed in 2 attempts.')
    expect(combine(makeAttempt('interrupted'), makeAttempt('interrupted')).note).toBe('2 attempts.')
  })

  it('does not join the details of more attempts than a note can contain', () => {
    const attempts = Array.from({ length: 1000 }, () => makeAttempt('failed', '', 'x'.repeat(MAX_NOTE_LENGTH)))
    expect(combine(...attempts).note?.length).toBeLessThan(4 * MAX_NOTE_LENGTH)
  })
})

describe('combineTestOutcomes, for several tests', () => {
  it('returns the worst status, the sum of the times, and each note with the name of its test, the worst first', () => {
    const combined = combineTestOutcomes([
      { name: 'a', attempts: [makeAttempt('failed', 'no', '', 500), makeAttempt('passed', '', '', 500)] },
      { name: 'b', attempts: [makeAttempt('passed', '', '', 250)] },
      { name: 'c', attempts: [makeAttempt('blocked', 'the set-up failed')] },
    ])
    expect(combined).toEqual({
      status: 'blocked',
      note: 'c: the set-up failed\n\na: Flaky: passed after 1 of 2 attempts failed.\n\nAttempt 1: no',
      seconds: 1.25,
    })
  })

  it.each<[string, AttemptStatus[]]>([
    ['failed', ['passed', 'interrupted', 'blocked', 'failed', 'skipped']],
    ['blocked', ['passed', 'interrupted', 'blocked', 'skipped']],
    ['retest', ['passed', 'interrupted', 'skipped']],
    ['passed', ['skipped', 'passed']],
    ['not_tested', ['skipped', 'skipped']],
  ])('returns %s for %j', (status, outcomes) => {
    const tests = outcomes.map((outcome, index) => ({ name: `test ${index}`, attempts: [makeAttempt(outcome)] }))
    expect(combineTestOutcomes(tests).status).toBe(status)
  })
})

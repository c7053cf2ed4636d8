import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { truncateNote, MAX_NOTE_LENGTH } from './note.ts'
import {
  combineOutcomes,
  describeAttempts,
  joinNotes,
  type TestOutcome,
  type ResultStatus,
  sumSeconds,
  toWholeSeconds,
} from './outcome.ts'

const statuses: ResultStatus[] = ['passed', 'failed', 'blocked', 'retest', 'not_tested']
const createTest = (name: string, status: ResultStatus, note: string | null = null, seconds: number | null = null) => ({
  name,
  outcome: { status, note, seconds },
})
const anyTest = fc.record({
  name: fc.string(),
  outcome: fc.record<TestOutcome>({
    status: fc.constantFrom(...statuses),
    note: fc.option(fc.string()),
    seconds: fc.option(fc.nat()),
  }),
})

describe('combineOutcomes', () => {
  it.each<[ResultStatus[], ResultStatus]>([
    [['passed', 'failed'], 'failed'],
    [['blocked', 'failed'], 'failed'],
    [['retest', 'blocked'], 'blocked'],
    [['passed', 'retest'], 'retest'],
    [['not_tested', 'passed'], 'passed'],
    [['not_tested', 'not_tested'], 'not_tested'],
    [statuses, 'failed'],
    [[], 'not_tested'],
  ])('combines the statuses %j to %s', (testStatuses, status) => {
    expect(combineOutcomes(testStatuses.map((testStatus) => createTest('a test', testStatus))).status).toBe(status)
  })

  it('joins the notes with the worst first, each with the name of its test, and adds up the times', () => {
    const tests = [
      createTest('a', 'passed', 'slow', 1.5),
      createTest('b', 'failed', 'no', 2),
      createTest('c', 'failed', null, null),
      createTest('d', 'failed', 'neither', null),
    ]
    expect(combineOutcomes(tests)).toEqual({ status: 'failed', note: 'b: no\n\nd: neither\n\na: slow', seconds: 3.5 })
  })

  it('returns the outcome of a single test unchanged', () => {
    fc.assert(
      fc.property(anyTest, (test) => {
        expect(combineOutcomes([test])).toEqual(test.outcome)
      }),
    )
  })

  it('does not depend on the order of the tests, except for notes of the same status', () => {
    fc.assert(
      fc.property(fc.array(anyTest, { minLength: 2 }), (tests) => {
        const [outcome, reversed] = [combineOutcomes(tests), combineOutcomes([...tests].reverse())]
        expect([outcome.status, outcome.seconds]).toEqual([reversed.status, reversed.seconds])
        expect(outcome.note?.length).toBe(reversed.note?.length)
      }),
    )
  })

  it('combines the notes of a hundred thousand tests without exceeding the longest possible string', () => {
    const long = 'x'.repeat(MAX_NOTE_LENGTH)
    const tests = Array.from({ length: 100_000 }, (_, index) => createTest(`test ${index}`, 'failed', long))
    expect(combineOutcomes(tests).note?.startsWith('test 0: xxx')).toBe(true)
  })
})

describe('describeAttempts', () => {
  it.each<[ResultStatus, number, number, string]>([
    ['passed', 1, 0, ''],
    ['failed', 1, 1, ''],
    ['passed', 2, 1, 'Flaky: passed after 1 of 2 attempts failed.'],
    ['passed', 2, 0, 'Passed in 2 attempts.'],
    ['failed', 3, 3, 'Failed in 3 attempts.'],
    ['not_tested', 2, 0, '2 attempts.'],
  ])('describes a %s test with %d attempts, of which %d failed, as %j', (status, attempts, failed, text) => {
    expect(describeAttempts(status, attempts, failed)).toBe(text)
  })
})

describe('joinNotes', () => {
  it.each<[string[], string | null]>([
    [[], null],
    [['', ''], null],
    [['', 'a', '', 'b'], 'a\n\nb'],
  ])('joins the notes %j to %j', (notes, joined) => {
    expect(joinNotes(notes)).toBe(joined)
  })

  it('returns the same note after truncation as if it had joined all notes', () => {
    const note = fc.constantFrom('', 'x', '🐞'.repeat(40_000), 'y'.repeat(100_000))
    fc.assert(
      fc.property(fc.array(note), (notes) => {
        const all = notes.filter((text) => text !== '').join('\n\n')
        expect(truncateNote(joinNotes(notes) ?? '') === truncateNote(all)).toBe(true)
      }),
      { numRuns: 30 },
    )
  })
})

describe('sumSeconds', () => {
  it.each<[(number | null)[], number | null]>([
    [[], null],
    [[null, null], null],
    [[null, 0], 0],
    [[1.25, null, 2], 3.25],
  ])('adds up %j to %j', (values, sum) => {
    expect(sumSeconds(values)).toBe(sum)
  })
})

describe('toWholeSeconds', () => {
  it.each<[number | null, number | null]>([
    [null, null],
    [0.4, 0],
    [0.5, 1],
    [1.4, 1],
    [3e9, 2_147_483_647],
    [Infinity, 2_147_483_647],
  ])('rounds %j to %j', (seconds, whole) => {
    expect(toWholeSeconds(seconds)).toBe(whole)
  })
})

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

describe('several tests on one case', () => {
  it.each<[ResultStatus[], ResultStatus]>([
    [['passed', 'failed'], 'failed'],
    [['blocked', 'failed'], 'failed'],
    [['retest', 'blocked'], 'blocked'],
    [['passed', 'retest'], 'retest'],
    [['not_tested', 'passed'], 'passed'],
    [['not_tested', 'not_tested'], 'not_tested'],
    [statuses, 'failed'],
    [[], 'not_tested'],
  ])('%j are %s', (several, status) => {
    expect(combineOutcomes(several.map((one) => createTest('a test', one))).status).toBe(status)
  })

  it('say the worst first, each under its name, and add up their time', () => {
    const tests = [
      createTest('a', 'passed', 'slow', 1.5),
      createTest('b', 'failed', 'no', 2),
      createTest('c', 'failed', null, null),
      createTest('d', 'failed', 'neither', null),
    ]
    expect(combineOutcomes(tests)).toEqual({ status: 'failed', note: 'b: no\n\nd: neither\n\na: slow', seconds: 3.5 })
  })

  it('are what the only one is', () => {
    fc.assert(
      fc.property(anyTest, (test) => {
        expect(combineOutcomes([test])).toEqual(test.outcome)
      }),
    )
  })

  it('come out the same in whatever order they ran, but for the order of equal notes', () => {
    const tests = fc.array(anyTest, { minLength: 2 })
    fc.assert(
      fc.property(tests, (several) => {
        const [there, back] = [combineOutcomes(several), combineOutcomes([...several].reverse())]
        expect([there.status, there.seconds]).toEqual([back.status, back.seconds])
        expect(there.note?.length).toBe(back.note?.length)
      }),
    )
  })
})

describe('attempts', () => {
  it.each<[ResultStatus, number, number, string]>([
    ['passed', 1, 0, ''],
    ['failed', 1, 1, ''],
    ['passed', 2, 1, 'Flaky: passed after 1 of 2 attempts failed.'],
    ['passed', 2, 0, 'Passed in 2 attempts.'],
    ['failed', 3, 3, 'Failed in 3 attempts.'],
    ['not_tested', 2, 0, '2 attempts.'],
  ])('%s, %d of which %d failed: %j', (status, attempts, failed, words) => {
    expect(describeAttempts(status, attempts, failed)).toBe(words)
  })
})

describe('notes', () => {
  it.each<[string[], string | null]>([
    [[], null],
    [['', ''], null],
    [['', 'a', '', 'b'], 'a\n\nb'],
  ])('%j are %j', (notes, joined) => {
    expect(joinNotes(notes)).toBe(joined)
  })

  it('that are longer than any note that is kept come out as if all had been joined', () => {
    const note = fc.constantFrom('', 'x', '🐞'.repeat(40_000), 'y'.repeat(100_000))
    fc.assert(
      fc.property(fc.array(note), (notes) => {
        const all = notes.filter((one) => one !== '').join('\n\n')
        expect(truncateNote(joinNotes(notes) ?? '') === truncateNote(all)).toBe(true)
      }),
      { numRuns: 30 },
    )
  })

  it('of a hundred thousand tests fit into a string', () => {
    const long = 'x'.repeat(MAX_NOTE_LENGTH)
    const tests = Array.from({ length: 100_000 }, (_, index) => createTest(`test ${index}`, 'failed', long))
    expect(combineOutcomes(tests).note?.startsWith('test 0: xxx')).toBe(true)
  })
})

describe('seconds', () => {
  it.each<[(number | null)[], number | null]>([
    [[], null],
    [[null, null], null],
    [[null, 0], 0],
    [[1.25, null, 2], 3.25],
  ])('%j are %j together', (values, sum) => {
    expect(sumSeconds(values)).toBe(sum)
  })

  it.each<[number | null, number | null]>([
    [null, null],
    [0.4, 0],
    [0.5, 1],
    [1.4, 1],
    [3e9, 2_147_483_647],
    [Infinity, 2_147_483_647],
  ])('%j are %j when whole', (seconds, whole) => {
    expect(toWholeSeconds(seconds)).toBe(whole)
  })
})

import type { TestAttempt } from '@caseward/junit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { makeAttempt, makeAttemptDetail } from '@caseward/test-support/attempts'
import { matchTests } from './match-test-cases.ts'
import { groupAttempts } from './test-outcome.ts'

/** What attempts lead to in a project with the prefix WEB and these automation keys. */
const match = async (attempts: TestAttempt[], keys: Record<string, number> = {}) =>
  matchTests('WEB', await groupAttempts(attempts), async (wanted) => {
    return new Map(wanted.flatMap((key) => (Object.hasOwn(keys, key) ? [[key, keys[key] ?? 0]] : [])))
  })

const numbers = async (attempt: Partial<TestAttempt>, keys?: Record<string, number>) =>
  (await match([makeAttempt(attempt)], keys)).writes.map(({ caseNumber }) => caseNumber)

describe('the test case that a test bears on', () => {
  const everywhere = { caseIds: ['WEB-1'], name: 'WEB-2', classname: 'WEB-3' }

  it(
    'is named by its properties before all else',
    { tags: ['spec:upload/junit-elements-to-test-cases-decided'] },
    async () => {
      expect(await numbers(everywhere, { 'WEB-3.WEB-2': 4, 'WEB-2': 5 })).toEqual([1])
    },
  )

  it(
    'is named by ids in its name before those in its classname',
    { tags: ['spec:upload/junit-elements-to-test-cases-decided'] },
    async () => {
      expect(await numbers({ ...everywhere, caseIds: [] }, { 'WEB-3.WEB-2': 4, 'WEB-2': 5 })).toEqual([2])
    },
  )

  it(
    'is named by ids in its classname before automation keys',
    { tags: ['spec:upload/junit-elements-to-test-cases-decided'] },
    async () => {
      expect(await numbers({ classname: 'WEB-3', name: 'logs in' }, { 'WEB-3.logs in': 4, 'logs in': 5 })).toEqual([3])
    },
  )

  it(
    'is named by the automation key classname.name before name alone',
    { tags: ['spec:upload/junit-elements-to-test-cases-decided'] },
    async () => {
      const keys = { 'shop.Login.logs in': 4, 'logs in': 5 }
      expect(await numbers({}, keys)).toEqual([4])
      expect(await numbers({ classname: 'other' }, keys)).toEqual([5])
    },
  )

  it('may be several, from any one place', async () => {
    expect(await numbers({ caseIds: ['WEB-1', 'web_2'] })).toEqual([1, 2])
    expect(await numbers({ name: 'WEB-1, WEB-2: both' })).toEqual([1, 2])
    expect(await numbers({ classname: 'WEB-1 WEB-2' })).toEqual([1, 2])
  })

  it('is found for a test without classname by the key that is its name', async () => {
    expect(await numbers({ classname: '' }, { 'logs in': 5 })).toEqual([5])
  })
})

describe('an automation key', () => {
  it('is found whatever blanks the report has around the name', async () => {
    expect(await numbers({ classname: ' shop.Login', name: 'logs in ' }, { 'shop.Login.logs in': 4 })).toEqual([4])
    expect(await numbers({ name: '\tlogs in\n' }, { 'logs in': 5 })).toEqual([5])
  })
})

describe('a test that leads to no test case', () => {
  it(
    'is an error that names classname.name',
    { tags: ['spec:upload/junit-elements-to-test-cases-decided'] },
    async () => {
      const { writes, errors } = await match([makeAttempt(), makeAttempt({ classname: '', name: 'C4 diagram' })])
      expect(writes).toEqual([])
      expect(errors.map(({ test_case_id, code }) => [test_case_id, code])).toEqual([
        ['shop.Login.logs in', 'no_test_case_id'],
        ['C4 diagram', 'no_test_case_id'],
      ])
    },
  )

  it('is one error, however many attempts there were', async () => {
    expect((await match([makeAttempt(), makeAttempt(), makeAttempt()])).errors).toHaveLength(1)
  })

  it('is told by the id that its properties give, when that cannot be one of the project', async () => {
    const { errors, unknownIds, writes } = await match([makeAttempt({ caseIds: ['APP-1', 'WEB-1'], name: 'WEB-9' })])
    expect([errors, unknownIds, writes.map(({ caseNumber }) => caseNumber)]).toEqual([[], ['APP-1'], [1]])
  })

  it('is ambiguous when its name alone is a key that fits tests of several classes', async () => {
    const tests = [makeAttempt({ classname: 'A' }), makeAttempt({ classname: 'B' }), makeAttempt({ classname: 'C' })]
    const { writes, errors } = await match(tests, { 'logs in': 5, 'C.logs in': 6 })
    expect(writes.map(({ caseNumber }) => caseNumber)).toEqual([6])
    expect(errors.map(({ test_case_id, code }) => [test_case_id, code])).toEqual([
      ['A.logs in', 'ambiguous'],
      ['B.logs in', 'ambiguous'],
    ])
  })
})

describe('what is written for a test case', () => {
  it('is the worst of different tests on it, with their times added up and then rounded', async () => {
    const { writes } = await match([
      makeAttempt({ name: 'WEB-1 a', elapsedSeconds: 0.4 }),
      makeAttempt({
        name: 'WEB-1 b',
        status: 'failed',
        elapsedSeconds: 0.4,
        details: [makeAttemptDetail('failure', { message: 'no' })],
      }),
    ])
    expect(writes).toEqual([{ caseNumber: 1, status: 'failed', note: 'shop.Login.WEB-1 b: no', elapsed: 1 }])
  })

  it('is the best of repeated attempts at one test', async () => {
    const { writes } = await match([makeAttempt({ name: 'WEB-1', status: 'failed' }), makeAttempt({ name: 'WEB-1' })])
    expect(writes.map(({ status }) => status)).toEqual(['passed'])
  })

  it('keeps the failure of one row of a table when another row, with an id of its own, passes', async () => {
    const { writes } = await match([
      makeAttempt({ caseIds: ['WEB-1'], status: 'failed' }),
      makeAttempt({ caseIds: ['WEB-2'] }),
    ])
    expect(writes.map(({ caseNumber, status }) => [caseNumber, status])).toEqual([
      [1, 'failed'],
      [2, 'passed'],
    ])
  })

  it.each([
    [null, null],
    [0, 0],
    [0.49, 0],
    [0.5, 1],
    [1234.5, 1235],
    [2_147_483_647, 2_147_483_647],
  ])('has %d seconds as the whole number %d', async (elapsedSeconds, elapsed) => {
    const { writes } = await match([makeAttempt({ name: 'WEB-1', elapsedSeconds })])
    expect(writes[0]?.elapsed).toBe(elapsed)
  })

  it('never has more seconds than there is room for', async () => {
    const long = { elapsedSeconds: 2_147_483_647 }
    const { writes } = await match([
      makeAttempt({ name: 'WEB-1 a', ...long }),
      makeAttempt({ name: 'WEB-1 b', ...long }),
    ])
    expect(writes[0]?.elapsed).toBe(2_147_483_647)
  })

  it('has a note that is cut when it is too long', async () => {
    const details = [makeAttemptDetail('failure', { text: 'x'.repeat(70_000) })]
    const { writes } = await match([makeAttempt({ name: 'WEB-1', status: 'failed', details })])
    expect(writes[0]?.note === `${'x'.repeat(65_536)}… [cut]`).toBe(true)
  })
})

describe('the notes of a report', () => {
  it('never grow to many times its size, however many cases a failure is written to', async () => {
    const details = [makeAttemptDetail('failure', { text: 'x'.repeat(60_000) })]
    const name = Array.from({ length: 8000 }, (_, index) => `WEB-${index + 1}`).join(' ')
    const { writes } = await match([makeAttempt({ name, status: 'failed', details })])
    expect(writes).toHaveLength(8000)
    expect(writes[0]?.note).toHaveLength(60_000)
    expect(writes.at(-1)?.note).toBe('… [cut]')
    expect(writes.reduce((sum, { note }) => sum + (note?.length ?? 0), 0)).toBeLessThan(22 * 1024 * 1024)
  })
})

describe('every test of a report', () => {
  it('leads to a write for each of its cases or to an error, whatever the report', async () => {
    const attempt = fc
      .record({
        name: fc.constantFrom('WEB-1', 'WEB-2 and WEB-3', 'logs in', 'by key', ''),
        classname: fc.constantFrom('A', 'B', 'WEB-4', ''),
        status: fc.constantFrom('passed' as const, 'failed' as const, 'skipped' as const),
        caseIds: fc.subarray(['WEB-5', 'WEB-6', 'APP-1']),
        elapsedSeconds: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
      })
      .map(makeAttempt)
    await fc.assert(
      fc.asyncProperty(fc.array(attempt, { maxLength: 30 }), async (attempts) => {
        const tests = await groupAttempts(attempts)
        const { writes, errors, unknownIds } = await match(attempts, { 'by key': 7 })
        expect(tests.flatMap((test) => test.attempts)).toHaveLength(attempts.length)
        expect(new Set(writes.map(({ caseNumber }) => caseNumber)).size).toBe(writes.length)
        expect(writes.length === 0 && errors.length === 0 && unknownIds.length === 0).toBe(attempts.length === 0)
        // A case fails if any test on it fails throughout.
        for (const { caseNumber, status } of writes) {
          const on = tests.filter((test) => {
            const ids = test.attempts.flatMap(({ caseIds }) => caseIds)
            if (ids.length > 0) return ids.includes(`WEB-${caseNumber}`)
            if (/WEB-\d/.test(test.name)) return test.name.includes(`WEB-${caseNumber}`)
            return test.classname === 'WEB-4' ? caseNumber === 4 : test.name === 'by key' && caseNumber === 7
          })
          const fails = on.some(
            (test) =>
              test.attempts.some((one) => one.status === 'failed') &&
              test.attempts.every((one) => one.status !== 'passed'),
          )
          expect(status === 'failed').toBe(fails)
        }
      }),
    )
  })
})

import type { TestAttempt } from '@caseward/junit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { makeAttempt, makeAttemptDetail } from '@caseward/test-support/attempts'
import { groupAttempts } from './group-attempts.ts'
import { matchTests } from './match-tests.ts'

/** Matches attempts in a project with the prefix WEB and these automation keys. */
const match = async (attempts: TestAttempt[], keys: Record<string, number> = {}) =>
  matchTests('WEB', await groupAttempts(attempts), async (requested) => {
    return new Map(requested.flatMap((key) => (Object.hasOwn(keys, key) ? [[key, keys[key] ?? 0]] : [])))
  })

const matchNumbers = async (attempt: Partial<TestAttempt>, keys?: Record<string, number>) =>
  (await match([makeAttempt(attempt)], keys)).writes.map(({ caseNumber }) => caseNumber)

describe('matchTests', () => {
  const everywhere = { caseIds: ['WEB-1'], name: 'WEB-2', classname: 'WEB-3' }

  it(
    'prefers ids in properties to ids in the name, ids in the classname and automation keys',
    { tags: ['spec:upload/junit-elements-to-test-cases-decided'] },
    async () => {
      expect(await matchNumbers(everywhere, { 'WEB-3.WEB-2': 4, 'WEB-2': 5 })).toEqual([1])
    },
  )

  it(
    'prefers ids in the name to ids in the classname and automation keys',
    { tags: ['spec:upload/junit-elements-to-test-cases-decided'] },
    async () => {
      expect(await matchNumbers({ ...everywhere, caseIds: [] }, { 'WEB-3.WEB-2': 4, 'WEB-2': 5 })).toEqual([2])
    },
  )

  it(
    'prefers ids in the classname to automation keys',
    { tags: ['spec:upload/junit-elements-to-test-cases-decided'] },
    async () => {
      expect(await matchNumbers({ classname: 'WEB-3', name: 'logs in' }, { 'WEB-3.logs in': 4, 'logs in': 5 })).toEqual(
        [3],
      )
    },
  )

  it(
    'prefers the automation key classname.name to the key name',
    { tags: ['spec:upload/junit-elements-to-test-cases-decided'] },
    async () => {
      const keys = { 'shop.Login.logs in': 4, 'logs in': 5 }
      expect(await matchNumbers({}, keys)).toEqual([4])
      expect(await matchNumbers({ classname: 'other' }, keys)).toEqual([5])
    },
  )

  it('matches several test cases by properties, by name or by classname', async () => {
    expect(await matchNumbers({ caseIds: ['WEB-1', 'web_2'] })).toEqual([1, 2])
    expect(await matchNumbers({ name: 'WEB-1, WEB-2: both' })).toEqual([1, 2])
    expect(await matchNumbers({ classname: 'WEB-1 WEB-2' })).toEqual([1, 2])
  })

  it('matches a test without classname by the automation key that equals its name', async () => {
    expect(await matchNumbers({ classname: '' }, { 'logs in': 5 })).toEqual([5])
  })
})

describe('matchTests with automation keys', () => {
  it('ignores whitespace around the classname and the name in the report', async () => {
    expect(await matchNumbers({ classname: ' shop.Login', name: 'logs in ' }, { 'shop.Login.logs in': 4 })).toEqual([4])
    expect(await matchNumbers({ name: '\tlogs in\n' }, { 'logs in': 5 })).toEqual([5])
  })
})

describe('matchTests for tests of the same name in several suites', () => {
  const inBothSuites = (fields: Partial<TestAttempt>) => [
    makeAttempt({ ...fields, suite: 1, status: 'failed' }),
    makeAttempt({ ...fields, suite: 2, status: 'passed' }),
  ]

  it.each<[string, Partial<TestAttempt>]>([
    ['an id in the name', { name: 'WEB-4 logs in' }],
    ['an id in a property', { caseIds: ['WEB-4'] }],
    ['an automation key equal to classname.name', {}],
    ['an automation key equal to the name', { classname: 'test' }],
  ])(
    'returns the worst of their statuses when they match a test case by %s',
    { tags: ['spec:upload/junit-outcomes-to-statuses-decided'] },
    async (_what, fields) => {
      const keys = { 'shop.Login.logs in': 4, 'logs in': 4 }
      for (const attempts of [inBothSuites(fields), inBothSuites(fields).toReversed()]) {
        const { writes, errors } = await match(attempts, keys)
        expect([writes.map(({ caseNumber, status }) => [caseNumber, status]), errors]).toEqual([[[4, 'failed']], []])
      }
    },
  )

  it('returns passed when the test passes in each suite, after a retry in one of them', async () => {
    const attempts = [...inBothSuites({}), makeAttempt({ suite: 1 })]
    const { writes } = await match(attempts, { 'logs in': 4 })
    expect(writes).toMatchObject([
      {
        caseNumber: 4,
        status: 'passed',
        note: expect.stringMatching(/: Flaky: passed after 1 of 2 attempts failed\./),
      },
    ])
  })
})

describe('matchTests for a test with many test case ids', () => {
  const listIds = (count: number) => Array.from({ length: count }, (_, index) => `WEB-${index + 1}`)

  it.each<[string, (ids: string[]) => Partial<TestAttempt>]>([
    ['properties', (ids) => ({ caseIds: ids })],
    ['the name', (ids) => ({ name: ids.join(' ') })],
    ['the classname', (ids) => ({ classname: ids.join(' ') })],
  ])('uses the first 200 ids of %s, and returns the error too_many_ids when there are more', async (_what, fields) => {
    const allowed = await match([makeAttempt(fields(listIds(200)))])
    expect([allowed.writes.length, allowed.errors]).toEqual([200, []])
    const { writes, errors } = await match([makeAttempt(fields(listIds(201)))])
    expect(writes.map(({ caseNumber }) => caseNumber)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
    expect(errors).toMatchObject([{ code: 'too_many_ids', error: expect.stringContaining('more than 200') }])
  })
})

describe('matchTests for a test without a test case', () => {
  it(
    'returns the error no_test_case_id with classname.name',
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

  it('returns one error for several attempts', async () => {
    expect((await match([makeAttempt(), makeAttempt(), makeAttempt()])).errors).toHaveLength(1)
  })

  it('returns one error for tests of the same full name in several suites', async () => {
    const { writes, errors } = await match([makeAttempt({ suite: 1 }), makeAttempt({ suite: 2 })])
    expect([writes, errors.map(({ test_case_id }) => test_case_id)]).toEqual([[], ['shop.Login.logs in']])
  })

  it('returns ids from properties that cannot belong to the project as unknown ids', async () => {
    const { errors, unknownIds, writes } = await match([makeAttempt({ caseIds: ['APP-1', 'WEB-1'], name: 'WEB-9' })])
    expect([errors, unknownIds, writes.map(({ caseNumber }) => caseNumber)]).toEqual([[], ['APP-1'], [1]])
  })

  it('returns the error ambiguous when the name alone is an automation key that matches tests in several classes', async () => {
    const tests = [makeAttempt({ classname: 'A' }), makeAttempt({ classname: 'B' }), makeAttempt({ classname: 'C' })]
    const { writes, errors } = await match(tests, { 'logs in': 5, 'C.logs in': 6 })
    expect(writes.map(({ caseNumber }) => caseNumber)).toEqual([6])
    expect(errors.map(({ test_case_id, code }) => [test_case_id, code])).toEqual([
      ['A.logs in', 'ambiguous'],
      ['B.logs in', 'ambiguous'],
    ])
  })
})

describe('the result that matchTests writes for a test case', () => {
  it('has the worst status of different tests, and the sum of their times rounded once', async () => {
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

  it('has the best status of several attempts at one test', async () => {
    const { writes } = await match([makeAttempt({ name: 'WEB-1', status: 'failed' }), makeAttempt({ name: 'WEB-1' })])
    expect(writes.map(({ status }) => status)).toEqual(['passed'])
  })

  it('keeps the failure of a data-table row when another row with a different id passes', async () => {
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
  ])('rounds the elapsed time %s to %s seconds', async (elapsedSeconds, elapsed) => {
    const { writes } = await match([makeAttempt({ name: 'WEB-1', elapsedSeconds })])
    expect(writes[0]?.elapsed).toBe(elapsed)
  })

  it('limits the elapsed time to the largest 32-bit integer', async () => {
    const long = { elapsedSeconds: 2_147_483_647 }
    const { writes } = await match([
      makeAttempt({ name: 'WEB-1 a', ...long }),
      makeAttempt({ name: 'WEB-1 b', ...long }),
    ])
    expect(writes[0]?.elapsed).toBe(2_147_483_647)
  })

  it('has a truncated note when the failure is longer than a note may be', async () => {
    const details = [makeAttemptDetail('failure', { text: 'x'.repeat(70_000) })]
    const { writes } = await match([makeAttempt({ name: 'WEB-1', status: 'failed', details })])
    expect(writes[0]?.note === `${'x'.repeat(65_536)}… [cut]`).toBe(true)
  })
})

describe('the notes that matchTests writes', () => {
  it('have a limited total size when failures are written to 8,000 test cases', async () => {
    const details = [makeAttemptDetail('failure', { text: 'x'.repeat(60_000) })]
    const names = Array.from({ length: 40 }, (_, test) =>
      Array.from({ length: 200 }, (_case, index) => `WEB-${test * 200 + index + 1}`).join(' '),
    )
    const { writes } = await match(names.map((name) => makeAttempt({ name, status: 'failed', details })))
    expect(writes).toHaveLength(8000)
    expect(writes[0]?.note).toHaveLength(60_000)
    expect(writes.at(-1)?.note).toBe('… [cut]')
    expect(writes.reduce((sum, { note }) => sum + (note?.length ?? 0), 0)).toBeLessThan(22 * 1024 * 1024)
  })
})

describe('matchTests with any report', () => {
  it('returns a write for each test case or an error for every test', async () => {
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
        // A test case fails if all attempts of any test that matches it fail.
        for (const { caseNumber, status } of writes) {
          const matching = tests.filter((test) => {
            const ids = test.attempts.flatMap(({ caseIds }) => caseIds)
            if (ids.length > 0) return ids.includes(`WEB-${caseNumber}`)
            if (/WEB-\d/.test(test.name)) return test.name.includes(`WEB-${caseNumber}`)
            return test.classname === 'WEB-4' ? caseNumber === 4 : test.name === 'by key' && caseNumber === 7
          })
          const isFailed = matching.some(
            (test) =>
              test.attempts.some((attempted) => attempted.status === 'failed') &&
              test.attempts.every((attempted) => attempted.status !== 'passed'),
          )
          expect(status === 'failed').toBe(isFailed)
        }
      }),
    )
  })
})

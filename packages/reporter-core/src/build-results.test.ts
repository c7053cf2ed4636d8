import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { buildResults } from './build-results.ts'
import type { TestAttempt } from './test-attempt.ts'

const attemptAt = (fields: Partial<TestAttempt> = {}): TestAttempt => ({
  testId: 'a',
  titlePath: ['Shop', 'Cart', 'empties'],
  status: 'passed',
  ...fields,
})
const buildItems = (...attempts: Partial<TestAttempt>[]) => buildResults('WEB', attempts.map(attemptAt)).items
const manyIds = (count: number) => Array.from({ length: count }, (_, index) => `WEB-${index + 1}`).join(' ')
const buildIds = (...attempts: Partial<TestAttempt>[]) =>
  buildItems(...attempts).map(({ test_case_id }) => test_case_id)

describe('the test case id in buildResults', () => {
  const everywhere = { caseIds: ['WEB-1'], tags: ['@WEB-2'], titlePath: ['WEB-5', 'WEB-4', 'WEB-3 empties'] }

  it('comes from an annotation, else from tags, else from the title, else from the titles of the blocks', () => {
    expect(buildIds(everywhere)).toEqual(['WEB-1'])
    expect(buildIds({ ...everywhere, caseIds: [] })).toEqual(['WEB-2'])
    expect(buildIds({ ...everywhere, caseIds: [' , '], tags: ['@smoke'] })).toEqual(['WEB-3'])
    expect(buildIds({ titlePath: ['WEB-5', 'WEB-4', 'empties'] })).toEqual(['WEB-5', 'WEB-4'])
    expect(buildIds({})).toEqual(['Shop > Cart > empties'])
  })

  it.each<[string, Partial<TestAttempt>]>([
    ['one annotation', { caseIds: ['WEB-1, WEB-2'] }],
    ['several annotations', { caseIds: ['WEB-1', 'web_2 WEB-1'] }],
    ['tags', { tags: ['@WEB-1', 'WEB-2'] }],
    ['the title', { titlePath: ['WEB-1, WEB-2: empties'] }],
    ['the titles of the blocks', { titlePath: ['WEB-1', 'WEB-2', 'empties'] }],
  ])('can be several, without duplicates, from %s', (_, fields) => {
    expect(buildIds(fields)).toEqual(['WEB-1', 'WEB-2'])
  })

  it('is found in a title with terminal colors', () => {
    expect(buildIds({ titlePath: ['\x1B[31mWEB-1\x1B[39m empties'] })).toEqual(['WEB-1'])
  })

  it('comes from a later attempt when the first has none', () => {
    expect(buildIds({ status: 'failed' }, { caseIds: ['WEB-1'] })).toEqual(['WEB-1'])
  })

  it('does not come from the title when an annotation contains an id of another project', () => {
    const { items, unknownIds } = buildResults('WEB', [attemptAt({ caseIds: ['APP-1'], titlePath: ['WEB-3 empties'] })])
    expect([items, [...unknownIds]]).toEqual([[], [['APP-1', 'WEB-3 empties']]])
  })

  it('is used when it is next to an invalid id', () => {
    const { items, unknownIds } = buildResults('WEB', [attemptAt({ caseIds: ['WEB-1 WEB-0'] })])
    expect([items.map(({ test_case_id }) => test_case_id), [...unknownIds.keys()]]).toEqual([['WEB-1'], ['WEB-0']])
  })

  it('is replaced by the full title when there is no id', () => {
    expect(buildIds({ titlePath: [' Shop ', '', '\x1B[1mempties\x1B[22m\0'] })).toEqual(['Shop > empties'])
    expect(buildIds({ titlePath: [], file: 'cart.test.ts' })).toEqual(['cart.test.ts'])
    expect(buildIds({ titlePath: [' '], file: '' })).toEqual(['untitled test'])
  })

  it('is replaced by a truncated title when there is no id and the title is very long', () => {
    expect(buildIds({ titlePath: ['🐞'.repeat(2000)] })).toEqual(['🐞'.repeat(2000)])
    expect(buildIds({ titlePath: ['x'.repeat(1_000_000)] })).toEqual([`${'x'.repeat(2000)}… [cut]`])
  })

  it.each<[string, Partial<TestAttempt>]>([
    ['annotations', { caseIds: [manyIds(201)], titlePath: ['many'] }],
    ['tags', { tags: manyIds(201).split(' '), titlePath: ['many'] }],
    ['the title', { titlePath: [`${manyIds(201)} many`] }],
  ])('is one of 200 at most, and the test is listed when it has more in %s', (_, fields) => {
    const { items, testsWithTooManyIds } = buildResults('WEB', [attemptAt(fields)])
    expect([items.length, items[0]?.test_case_id, items.at(-1)?.test_case_id]).toEqual([200, 'WEB-1', 'WEB-200'])
    expect(testsWithTooManyIds).toEqual([expect.stringMatching(/many$/)])
  })

  it('is used 200 times without listing the test', () => {
    const { items, testsWithTooManyIds } = buildResults('WEB', [attemptAt({ caseIds: [manyIds(200)] })])
    expect([items.length, testsWithTooManyIds]).toEqual([200, []])
  })

  it('is not replaced by the title of a container', () => {
    expect(buildIds({ isContainer: true }, { testId: 'b', isContainer: true, caseIds: ['WEB-1'] })).toEqual(['WEB-1'])
  })
})

describe('buildResults for several attempts at one test', () => {
  const buildOutcome = (...statuses: TestAttempt['status'][]) => {
    const [item] = buildItems(...statuses.map((status) => ({ caseIds: ['WEB-1'], status })))
    return [item?.status, item?.note]
  }

  it.each<[TestAttempt['status'][], string, string | undefined]>([
    [['passed'], 'passed', undefined],
    [['failed'], 'failed', undefined],
    [['failed', 'passed'], 'passed', 'Flaky: passed after 1 of 2 attempts failed.'],
    [['failed', 'failed', 'passed'], 'passed', 'Flaky: passed after 2 of 3 attempts failed.'],
    [['passed', 'failed'], 'passed', 'Flaky: passed after 1 of 2 attempts failed.'],
    [['passed', 'passed'], 'passed', 'Passed in 2 attempts.'],
    [['failed', 'failed'], 'failed', 'Failed in 2 attempts.'],
    [['not_tested', 'failed'], 'failed', 'Failed in 2 attempts.'],
    [['failed', 'not_tested'], 'failed', 'Failed in 2 attempts.'],
    [['failed', 'retest'], 'failed', 'Failed in 2 attempts.'],
    [['blocked', 'retest'], 'retest', '2 attempts.'],
    [['not_tested', 'blocked'], 'blocked', '2 attempts.'],
    [['not_tested'], 'not_tested', undefined],
  ])('combines the statuses %j to %s', (statuses, status, note) => {
    expect(buildOutcome(...statuses)).toEqual([status, note])
  })

  it('adds up the durations in whole seconds', () => {
    expect(buildItems({ durationMs: 600 }, { durationMs: 600 }, {})).toMatchObject([{ elapsed: 1 }])
    expect(buildItems({ durationMs: 499 })).toMatchObject([{ elapsed: 0 }])
    expect(buildItems({ durationMs: 1e300 })).toMatchObject([{ elapsed: 2_147_483_647 }])
  })

  it.each([undefined, NaN, -1, Infinity])('returns no elapsed time for the duration %s', (durationMs) => {
    expect(buildItems({ durationMs })[0]).not.toHaveProperty('elapsed')
  })
})

describe('buildResults for several tests of one test case', () => {
  const createTest = (testId: string, status: TestAttempt['status'], fields: Partial<TestAttempt> = {}) => ({
    testId,
    status,
    titlePath: [`WEB-1 ${testId}`],
    durationMs: 1000,
    ...fields,
  })

  it('returns the worst status and the sum of the durations', () => {
    expect(buildItems(createTest('a', 'passed'), createTest('b', 'failed'), createTest('c', 'not_tested'))).toEqual([
      { test_case_id: 'WEB-1', status: 'failed', elapsed: 3 },
    ])
  })

  it('treats a test in several browsers as several tests', () => {
    const inBrowser = (variant: string, status: TestAttempt['status']) => createTest('a', status, { variant })
    expect(buildItems(inBrowser('chromium', 'passed'), inBrowser('webkit', 'failed'))).toMatchObject([
      { status: 'failed' },
    ])
    expect(buildItems(inBrowser('webkit', 'failed'), inBrowser('webkit', 'passed'))).toMatchObject([
      { status: 'passed' },
    ])
  })

  it('joins the notes with the names of the tests', () => {
    const createFailed = (testId: string) => createTest(testId, 'failed', { errors: [{ message: `no ${testId}` }] })
    expect(buildItems(createFailed('a'), createFailed('b'))).toMatchObject([{ note: 'WEB-1 a: no a\n\nWEB-1 b: no b' }])
  })

  it('combines tests with the same full title and no id', () => {
    expect(buildItems({ testId: 'a' }, { testId: 'b', status: 'failed' })).toEqual([
      { test_case_id: 'Shop > Cart > empties', status: 'failed' },
    ])
  })
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '\0',
    '\uD83D',
    '\uDC1E',
    '\x1B[31m',
    'WEB-1',
    'WEB-2 WEB-3',
    '@web_4',
    'APP-1',
    'WEB-0',
    ' , ',
    '__proto__',
  ),
)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const anyAttempt: fc.Arbitrary<TestAttempt> = fc.record({
  testId: fc.constantFrom('a', 'b', 'c', 'd', '__proto__'),
  titlePath: fc.array(anyText, { maxLength: 3 }),
  file: maybe(anyText),
  variant: maybe(fc.constantFrom('chromium', '')),
  caseIds: maybe(fc.array(anyText, { maxLength: 2 })),
  tags: maybe(fc.array(anyText, { maxLength: 2 })),
  status: fc.constantFrom('passed', 'failed', 'blocked', 'retest', 'not_tested'),
  durationMs: maybe(fc.oneof(fc.double(), fc.nat())),
  errors: maybe(
    fc.array(fc.record({ message: anyText, stack: maybe(anyText), diff: maybe(anyText) }), { maxLength: 2 }),
  ),
  comment: maybe(anyText),
})

describe('buildResults for any attempts', () => {
  it('returns a result or an unknown id for each test, and one result for each test case', () => {
    fc.assert(
      fc.property(fc.array(anyAttempt, { maxLength: 12 }), (attempts) => {
        const { items, unknownIds } = buildResults('WEB', attempts)
        expect(new Set(items.map(({ test_case_id }) => test_case_id)).size).toBe(items.length)
        for (const { testId, variant } of attempts) {
          const isSame = (other: TestAttempt) => other.testId === testId && (other.variant ?? '') === (variant ?? '')
          const single = buildResults('WEB', attempts.filter(isSame))
          const ids = single.items.map(({ test_case_id }) => test_case_id)
          expect(ids.length + single.unknownIds.size).toBeGreaterThan(0)
          expect(items.map(({ test_case_id }) => test_case_id)).toEqual(expect.arrayContaining(ids))
          expect([...unknownIds.keys()]).toEqual(expect.arrayContaining([...single.unknownIds.keys()]))
        }
      }),
    )
  })

  it('returns well-formed text without NUL, and whole seconds', () => {
    fc.assert(
      fc.property(fc.array(anyAttempt, { maxLength: 12 }), (attempts) => {
        for (const { test_case_id, note = '', elapsed = 0 } of buildResults('WEB', attempts).items) {
          expect(test_case_id).not.toBe('')
          expect(test_case_id + note).not.toMatch(/\p{Surrogate}|\0/u)
          expect(Number.isInteger(elapsed) && elapsed >= 0 && elapsed <= 2_147_483_647).toBe(true)
        }
      }),
    )
  })

  it('builds the results of a hundred thousand tests in seconds', () => {
    const attempts = Array.from({ length: 100_000 }, (_, index) =>
      attemptAt({ testId: `${index}`, titlePath: ['Shop', `WEB-${index + 1} works`], durationMs: 3 }),
    )
    const start = performance.now()
    expect(buildResults('WEB', attempts).items).toHaveLength(100_000)
    expect(performance.now() - start).toBeLessThan(20_000)
  }, 30_000)

  it('truncates the joined notes of thousands of tests of one test case', () => {
    const message = 'x'.repeat(100_000)
    // Together they would exceed the longest possible string.
    const attempts = Array.from({ length: 6000 }, (_, index) =>
      attemptAt({ testId: `${index}`, caseIds: ['WEB-1'], status: 'failed', errors: [{ message }] }),
    )
    expect(buildResults('WEB', attempts).items[0]?.note).toMatch(/^Shop > Cart > empties: x+… \[cut\]$/)
  }, 30_000)
})

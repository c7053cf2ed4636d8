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
const buildIds = (...attempts: Partial<TestAttempt>[]) =>
  buildItems(...attempts).map(({ test_case_id }) => test_case_id)

describe('the case of a test', () => {
  const everywhere = { caseIds: ['WEB-1'], tags: ['@WEB-2'], titlePath: ['WEB-5', 'WEB-4', 'WEB-3 empties'] }

  it('is that of its annotation, before tags, its title, and the titles around it', () => {
    expect(buildIds(everywhere)).toEqual(['WEB-1'])
    expect(buildIds({ ...everywhere, caseIds: [] })).toEqual(['WEB-2'])
    expect(buildIds({ ...everywhere, caseIds: [' , '], tags: ['@smoke'] })).toEqual(['WEB-3'])
    expect(buildIds({ titlePath: ['WEB-5', 'WEB-4', 'empties'] })).toEqual(['WEB-5', 'WEB-4'])
    expect(buildIds({})).toEqual(['Shop > Cart > empties'])
  })

  it.each<[string, Partial<TestAttempt>]>([
    ['in one annotation', { caseIds: ['WEB-1, WEB-2'] }],
    ['in several annotations', { caseIds: ['WEB-1', 'web_2 WEB-1'] }],
    ['in tags', { tags: ['@WEB-1', 'WEB-2'] }],
    ['in its title', { titlePath: ['WEB-1, WEB-2: empties'] }],
    ['in the titles around it', { titlePath: ['WEB-1', 'WEB-2', 'empties'] }],
  ])('may be several, each once: %s', (_where, fields) => {
    expect(buildIds(fields)).toEqual(['WEB-1', 'WEB-2'])
  })

  it('is found in a title that is coloured', () => {
    expect(buildIds({ titlePath: ['\x1B[31mWEB-1\x1B[39m empties'] })).toEqual(['WEB-1'])
  })

  it('that only a later attempt names is that of the test', () => {
    expect(buildIds({ status: 'failed' }, { caseIds: ['WEB-1'] })).toEqual(['WEB-1'])
  })

  it('is never guessed where an annotation names what can be none', () => {
    const { items, unknownIds } = buildResults('WEB', [attemptAt({ caseIds: ['APP-1'], titlePath: ['WEB-3 empties'] })])
    expect([items, [...unknownIds]]).toEqual([[], [['APP-1', 'WEB-3 empties']]])
  })

  it('counts beside an id that can be none', () => {
    const { items, unknownIds } = buildResults('WEB', [attemptAt({ caseIds: ['WEB-1 WEB-0'] })])
    expect([items.map(({ test_case_id }) => test_case_id), [...unknownIds.keys()]]).toEqual([['WEB-1'], ['WEB-0']])
  })

  it('is asked for by its full title where nothing names it', () => {
    expect(buildIds({ titlePath: [' Shop ', '', '\x1B[1mempties\x1B[22m\0'] })).toEqual(['Shop > empties'])
    expect(buildIds({ titlePath: [], file: 'cart.test.ts' })).toEqual(['cart.test.ts'])
    expect(buildIds({ titlePath: [' '], file: '' })).toEqual(['a test without a title'])
  })

  it('is not asked for by a title without an end', () => {
    expect(buildIds({ titlePath: ['x'.repeat(1_000_000)] })).toEqual([`${'x'.repeat(1000)}… [cut]`])
  })

  it('is of no interest where a test holds others and names none', () => {
    expect(buildIds({ isContainer: true }, { testId: 'b', isContainer: true, caseIds: ['WEB-1'] })).toEqual(['WEB-1'])
  })
})

describe('attempts at one test', () => {
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
  ])('%j are %s', (statuses, status, note) => {
    expect(buildOutcome(...statuses)).toEqual([status, note])
  })

  it('take as long as all of them together, in whole seconds', () => {
    expect(buildItems({ durationMs: 600 }, { durationMs: 600 }, {})).toMatchObject([{ elapsed: 1 }])
    expect(buildItems({ durationMs: 499 })).toMatchObject([{ elapsed: 0 }])
    expect(buildItems({ durationMs: 1e300 })).toMatchObject([{ elapsed: 2_147_483_647 }])
  })

  it.each([undefined, NaN, -1, Infinity])('take no time that is known where that is %s', (durationMs) => {
    expect(buildItems({ durationMs })[0]).not.toHaveProperty('elapsed')
  })
})

describe('several tests on one case', () => {
  const on = (testId: string, status: TestAttempt['status'], more: Partial<TestAttempt> = {}) => ({
    testId,
    status,
    titlePath: [`WEB-1 ${testId}`],
    durationMs: 1000,
    ...more,
  })

  it('let the worst speak, and add up their time', () => {
    expect(buildItems(on('a', 'passed'), on('b', 'failed'), on('c', 'not_tested'))).toEqual([
      { test_case_id: 'WEB-1', status: 'failed', elapsed: 3 },
    ])
  })

  it('are also one test in several browsers', () => {
    const inBrowser = (variant: string, status: TestAttempt['status']) => on('a', status, { variant })
    expect(buildItems(inBrowser('chromium', 'passed'), inBrowser('webkit', 'failed'))).toMatchObject([
      { status: 'failed' },
    ])
    expect(buildItems(inBrowser('webkit', 'failed'), inBrowser('webkit', 'passed'))).toMatchObject([
      { status: 'passed' },
    ])
  })

  it('say whose note is whose', () => {
    const failed = (testId: string) => on(testId, 'failed', { errors: [{ message: `no ${testId}` }] })
    expect(buildItems(failed('a'), failed('b'))).toMatchObject([{ note: 'WEB-1 a: no a\n\nWEB-1 b: no b' }])
  })

  it('also count as one where nothing but their title names the case', () => {
    expect(buildItems({ testId: 'a' }, { testId: 'b', status: 'failed' })).toEqual([
      { test_case_id: 'Shop > Cart > empties', status: 'failed' },
    ])
  })
})

const strange = fc.oneof(
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
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined })
const anyAttempt: fc.Arbitrary<TestAttempt> = fc.record({
  testId: fc.constantFrom('a', 'b', 'c', 'd', '__proto__'),
  titlePath: fc.array(strange, { maxLength: 3 }),
  file: maybe(strange),
  variant: maybe(fc.constantFrom('chromium', '')),
  caseIds: maybe(fc.array(strange, { maxLength: 2 })),
  tags: maybe(fc.array(strange, { maxLength: 2 })),
  status: fc.constantFrom('passed', 'failed', 'blocked', 'retest', 'not_tested'),
  durationMs: maybe(fc.oneof(fc.double(), fc.nat())),
  errors: maybe(
    fc.array(fc.record({ message: strange, stack: maybe(strange), diff: maybe(strange) }), { maxLength: 2 }),
  ),
  comment: maybe(strange),
})

describe('whatever the attempts are', () => {
  it('each leads to a result or to an id that can be no case, and no case has two', () => {
    fc.assert(
      fc.property(fc.array(anyAttempt, { maxLength: 12 }), (attempts) => {
        const { items, unknownIds } = buildResults('WEB', attempts)
        expect(new Set(items.map(({ test_case_id }) => test_case_id)).size).toBe(items.length)
        for (const { testId, variant } of attempts) {
          const isSame = (other: TestAttempt) => other.testId === testId && (other.variant ?? '') === (variant ?? '')
          const alone = buildResults('WEB', attempts.filter(isSame))
          const ids = alone.items.map(({ test_case_id }) => test_case_id)
          expect(ids.length + alone.unknownIds.size).toBeGreaterThan(0)
          expect(items.map(({ test_case_id }) => test_case_id)).toEqual(expect.arrayContaining(ids))
          expect([...unknownIds.keys()]).toEqual(expect.arrayContaining([...alone.unknownIds.keys()]))
        }
      }),
    )
  })

  it('results are what the server takes: well-formed text without NUL, whole seconds', () => {
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

  it('a hundred thousand of them take seconds', () => {
    const attempts = Array.from({ length: 100_000 }, (_, index) =>
      attemptAt({ testId: `${index}`, titlePath: ['Shop', `WEB-${index + 1} works`], durationMs: 3 }),
    )
    const start = performance.now()
    expect(buildResults('WEB', attempts).items).toHaveLength(100_000)
    expect(performance.now() - start).toBeLessThan(20_000)
  }, 30_000)

  it('thousands of long notes on one case come out as one that can be kept', () => {
    const message = 'x'.repeat(100_000)
    // All of them would not fit into a string.
    const attempts = Array.from({ length: 6000 }, (_, index) =>
      attemptAt({ testId: `${index}`, caseIds: ['WEB-1'], status: 'failed', errors: [{ message }] }),
    )
    expect(buildResults('WEB', attempts).items[0]?.note).toMatch(/^Shop > Cart > empties: x+… \[cut\]$/)
  }, 30_000)
})

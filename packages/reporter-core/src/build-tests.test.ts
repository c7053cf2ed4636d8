import { ATTEMPT_STATUSES } from '@caseward/matching/attempt'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { buildSuiteErrors, buildTests } from './build-tests.ts'
import type { TestAttempt } from './test-attempt.ts'

const attemptAt = (fields: Partial<TestAttempt> = {}): TestAttempt => ({
  testId: 'a',
  titlePath: ['Shop', 'Cart', 'empties'],
  status: 'passed',
  ...fields,
})
const build = (...attempts: Partial<TestAttempt>[]) => buildTests('WEB', attempts.map(attemptAt))

describe('buildTests', () => {
  it.each([
    ['packages/cart', 'src/a.test.ts', 'packages/cart/src/a.test.ts'],
    ['packages/cart', '../shared/a.test.ts', 'packages/shared/a.test.ts'],
    ['.', 'src/a.test.ts', 'src/a.test.ts'],
    [null, 'src/a.test.ts', 'src/a.test.ts'],
  ])('sends files relative to the checkout, for the package %j', (module, file, expected) => {
    expect(buildTests('WEB', [attemptAt({ file })], module)).toMatchObject([{ suite: file, file: expected }])
  })

  it('sends the file as suite, the titles as name, and the variant, ids and tags as they are', () => {
    const identity = { file: 'test/cart.test.ts', variant: 'chromium', caseIds: ['WEB-1, WEB-2'], tags: ['@slow'] }
    expect(build({ ...identity, durationMs: 1.5 })).toEqual([
      {
        suite: 'test/cart.test.ts',
        file: 'test/cart.test.ts',
        name: 'Shop > Cart > empties',
        variant: 'chromium',
        test_case_ids: ['WEB-1, WEB-2'],
        tags: ['@slow'],
        attempts: [{ status: 'passed', elapsed_ms: 1.5 }],
      },
    ])
  })

  it.each<[Partial<TestAttempt>, string]>([
    [{ titlePath: [' Shop ', '', '\x1B[1mempties\x1B[22m\0'] }, 'Shop > empties'],
    [{ titlePath: [], file: 'cart.test.ts' }, 'cart.test.ts'],
    [{ titlePath: [' '], file: '' }, 'untitled test'],
  ])('names the test %j %s', (fields, name) => {
    expect(build(fields)[0]?.name).toBe(name)
  })

  it('groups the attempts at a test in their order, and takes ids and tags from all of them', () => {
    const tests = build(
      { status: 'failed', errors: [{ message: 'no' }] },
      { testId: 'b', titlePath: ['b'] },
      { caseIds: ['WEB-1'], tags: ['a'] },
    )
    expect(tests).toMatchObject([
      { test_case_ids: ['WEB-1'], tags: ['a'], attempts: [{ status: 'failed', message: 'no' }, { status: 'passed' }] },
      { name: 'b', attempts: [{}] },
    ])
  })

  it('replaces a result by a later one of the same attempt, and keeps its duration and errors', () => {
    const tests = build(
      { status: 'failed', errors: [{ message: 'once' }] },
      { status: 'passed', durationMs: 7 },
      { status: 'failed', errors: [{ message: 'late' }], replacesResult: true },
    )
    expect(tests[0]?.attempts).toEqual([
      { status: 'failed', message: 'once' },
      { status: 'failed', elapsed_ms: 7, message: 'late' },
    ])
  })

  it('treats a test in several browsers as several tests', () => {
    expect(build({ variant: 'chromium' }, { variant: 'webkit' }).map(({ variant }) => variant)).toEqual([
      'chromium',
      'webkit',
    ])
  })

  it.each(ATTEMPT_STATUSES)('sends the status %s', (status) => {
    expect(build({ status })[0]?.attempts).toEqual([{ status }])
  })

  it('sends the first message, and all errors with their differences and stacks as details', () => {
    const errors = [{ message: 'no', diff: '- 1\n+ 2', stack: 'Error: no\n    at x' }, { message: 'never' }]
    expect(build({ status: 'failed', errors })[0]?.attempts).toEqual([
      { status: 'failed', message: 'no', details: 'no\n- 1\n+ 2\n    at x\n\nnever' },
    ])
    expect(build({ status: 'failed', errors: [{ message: 'no' }] })[0]?.attempts).toEqual([
      { status: 'failed', message: 'no' },
    ])
  })

  it('sends a comment as the message, or before the errors', () => {
    expect(build({ status: 'skipped', comment: 'later' })[0]?.attempts).toEqual([
      { status: 'skipped', message: 'later' },
    ])
    expect(build({ status: 'failed', comment: 'Ran 3 times.', errors: [{ message: 'no' }] })[0]?.attempts).toEqual([
      { status: 'failed', message: 'no', details: 'Ran 3 times.\n\nno' },
    ])
  })

  it.each([undefined, NaN, -1, Infinity])('sends no duration for %s', (durationMs) => {
    expect(build({ durationMs })[0]?.attempts).toEqual([{ status: 'passed' }])
  })

  it('sends a container as a test only if it names a test case of the project', () => {
    const container = { isContainer: true }
    expect(
      build(
        { ...container, testId: 'a' },
        { ...container, testId: 'b', titlePath: ['WEB-1 cart'] },
        { ...container, testId: 'c', caseIds: ['APP-1'] },
      ).flatMap(({ name, only_if_reported: isOptional = false }) => (isOptional ? [] : [name])),
    ).toEqual(['WEB-1 cart'])
  })

  it('sends a container that passed for the case that it had failed before, but no file and none that failed', () => {
    const container = { isContainer: true, file: 'cart.test.js' }
    const tests = build(
      { ...container, testId: 'a', titlePath: ['cart'] },
      { ...container, testId: 'b', titlePath: ['cart.test.js'] },
      { ...container, testId: 'c', titlePath: ['orders'], status: 'failed' },
    )
    expect(tests.map(({ name, only_if_reported: isOptional }) => [name, isOptional])).toEqual([['cart', true]])
  })

  it('keeps 100 attempts, with those that decide the outcome', () => {
    const failed = Array.from({ length: 500 }, () => ({ status: 'failed' as const }))
    const attempts = build(...failed, { status: 'passed' })[0]?.attempts ?? []
    expect([attempts.length <= 100, attempts.at(-1)?.status]).toEqual([true, 'passed'])
  })

  it('truncates what the server would truncate', () => {
    const errors = [{ message: 'x'.repeat(100_000), stack: 'y'.repeat(100_000) }]
    const [attempt] = build({ status: 'failed', errors })[0]?.attempts ?? []
    expect([attempt?.message?.length, attempt?.details?.length]).toEqual([10_000, 65_536 + '… [cut]'.length])
  })
})

describe('buildSuiteErrors', () => {
  const ending = { at: 0, interrupted: false }

  it('sends the errors outside of tests', () => {
    expect(buildSuiteErrors({ errors: [{ location: 'a.test.ts', message: 'no', stack: 'at x' }], ending })).toEqual([
      { where: 'a.test.ts', message: 'no\nat x' },
    ])
  })

  it('says that a suite was stopped, or that its process was killed', () => {
    const stopped = buildSuiteErrors({ errors: [], ending: { at: 0, interrupted: true } })
    expect(stopped).toEqual([{ where: 'the suite', message: expect.stringContaining('stopped') }])
    const killed = buildSuiteErrors({ errors: [], ending: null })
    expect(killed).toEqual([{ where: 'the suite', message: expect.stringContaining('process ended') }])
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
  status: fc.constantFrom(...ATTEMPT_STATUSES),
  durationMs: maybe(fc.oneof(fc.double(), fc.nat())),
  errors: maybe(
    fc.array(fc.record({ message: anyText, stack: maybe(anyText), diff: maybe(anyText) }), { maxLength: 2 }),
  ),
  comment: maybe(anyText),
})

describe('buildTests for any attempts', () => {
  it('returns one test for each id and variant, with a name and well-formed text', () => {
    fc.assert(
      fc.property(fc.array(anyAttempt, { maxLength: 12 }), (attempts) => {
        const tests = buildTests('WEB', attempts)
        expect(tests).toHaveLength(new Set(attempts.map(({ testId, variant }) => `${variant ?? ''}\0${testId}`)).size)
        expect(tests.every(({ name }) => name.trim() !== '')).toBe(true)
        expect(tests.flatMap((test) => test.attempts)).toHaveLength(attempts.length)
        for (const text of collectTexts(tests)) expect(text).not.toMatch(/\p{Surrogate}|\0/u)
      }),
    )
  })

  it('builds a hundred thousand tests in seconds', () => {
    const attempts = Array.from({ length: 100_000 }, (_, index) =>
      attemptAt({ testId: `${index}`, titlePath: ['Shop', `WEB-${index + 1} works`], durationMs: 3 }),
    )
    const start = performance.now()
    expect(buildTests('WEB', attempts)).toHaveLength(100_000)
    expect(performance.now() - start).toBeLessThan(20_000)
  }, 30_000)
})

/** All texts in a value. */
function collectTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(collectTexts) : []
}

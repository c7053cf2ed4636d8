import { createGuard, type SuiteError, type TestAttempt } from '@caseward/reporter-core'
import { describe, expect, it } from 'vitest'

import type { MochaEvent, MochaOptions, MochaSuite, MochaTest } from './framework-types.ts'
import { createEventReader } from './read-events.ts'

type Suite = { title: string; tests: MochaTest[]; suites: MochaSuite[] }

const createSuite = (title: string, ...tests: MochaTest[]): Suite => ({ title, tests, suites: [] })
const createTest = (title: string, retry = 0): MochaTest => ({
  type: 'test',
  title,
  titlePath: () => [title],
  currentRetry: () => retry,
})
const createHook = (title: string, parent: MochaSuite): MochaTest => ({ type: 'hook', title, parent })
const failed = (test: MochaTest): MochaEvent => ({ name: 'fail', test, error: new Error('no database') })

/** Records events. Returns title, status and occurrence of each attempt, and the locations of suite errors. */
function record(root: MochaSuite, events: MochaEvent[], options: MochaOptions = {}) {
  const attempts: TestAttempt[] = []
  const errors: SuiteError[] = []
  const reporter = {
    recordAttempt: (attempt: TestAttempt) => void attempts.push(attempt),
    recordSuiteError: (error: SuiteError) => void errors.push(error),
  }
  const reader = createEventReader(reporter, root, options, '/shop', createGuard('mocha', reporter.recordSuiteError))
  for (const event of events) reader.read(event)
  const { interrupted } = reader.end(events.filter(({ name }) => name === 'fail').length)
  const getOccurrence = ({ testId }: TestAttempt) => Number(/(\d+)\]$/.exec(testId)?.[1])
  return {
    attempts: attempts.map((attempt) => [attempt.titlePath.join(), attempt.status, getOccurrence(attempt)]),
    replacing: attempts.filter(({ replacesResult }) => replacesResult).map(({ titlePath }) => titlePath.join()),
    errors: errors.map(({ location }) => location),
    interrupted,
  }
}

describe('EventReader', () => {
  it('records a retry as an attempt at the same test', () => {
    const [first, second] = [createTest('a'), createTest('a', 1)]
    const events: MochaEvent[] = [
      { name: 'retry', test: first, error: 'flaky' },
      { name: 'pass', test: second },
    ]
    const { attempts } = record(createSuite('', second), events)
    expect(attempts).toEqual([
      ['a', 'failed', 0],
      ['a', 'passed', 0],
    ])
  })

  it('distinguishes tests with equal titles', () => {
    const [first, second] = [createTest('a'), createTest('a')]
    const { attempts } = record(createSuite('', first, second), [failed(first), { name: 'pass', test: second }])
    expect(attempts).toEqual([
      ['a', 'failed', 0],
      ['a', 'passed', 1],
    ])
  })

  it('replaces the result of a passed test that fails later', () => {
    const retried = createTest('a', 1)
    const first = createTest('a')
    const events: MochaEvent[] = [
      { name: 'retry', test: first, error: 'x' },
      { name: 'pass', test: retried },
    ]
    const { attempts, replacing } = record(createSuite('', retried), [...events, failed(retried)])
    expect([attempts.at(-1), replacing]).toEqual([['a', 'failed', 0], ['a']])
  })

  it('recognizes a test by its id in parallel mode, where each event has a copy of it', () => {
    const createCopy = () => ({ ...createTest('a'), __mocha_id__: 'V1StGXR8' })
    const { attempts, replacing } = record({ title: '' }, [
      { name: 'pass', test: createCopy() },
      failed(createCopy()),
      { name: 'pass', test: { ...createTest('a'), __mocha_id__: 'Uakgb_J5' } },
    ])
    expect(attempts.map(([, status, occurrence]) => [status, occurrence])).toEqual([
      ['passed', 0],
      ['failed', 0],
      ['passed', 1],
    ])
    expect(replacing).toEqual(['a'])
  })

  it('keeps the failure of a test that passes later', () => {
    const test = createTest('a')
    expect(record(createSuite('', test), [failed(test), { name: 'pass', test }]).attempts).toEqual([['a', 'failed', 0]])
  })
})

describe('EventReader after a failed hook', () => {
  it('records the remaining tests of the suite and its children as blocked', () => {
    const below = createSuite('below', createTest('c'))
    const suite = { ...createSuite('s', createTest('a'), createTest('b')), suites: [below] }
    const root = { ...createSuite(''), suites: [suite] }
    const [a] = suite.tests as [MochaTest]
    const { attempts, errors, interrupted } = record(root, [
      { name: 'pass', test: a },
      failed(createHook('"before each" hook', suite)),
      { name: 'suite end', suite: below },
      { name: 'suite end', suite },
    ])
    expect(attempts).toEqual([
      ['a', 'passed', 0],
      ['b', 'blocked', 0],
      ['c', 'blocked', 0],
    ])
    expect({ errors, interrupted }).toEqual({ errors: [], interrupted: false })
  })

  it('does not record tests as blocked that Mocha reports as failed', () => {
    const test = createTest('a')
    const suite = createSuite('s', test)
    const events = [failed(createHook('"before all" hook', suite)), failed(test), { name: 'suite end', suite } as const]
    expect(record(suite, events).attempts).toEqual([['a', 'failed', 0]])
  })

  it('does not record tests as blocked that are skipped or filtered out', () => {
    const skipped = { ...createTest('skipped'), isPending: () => true }
    const suite = createSuite('s', skipped, createTest('other'), createTest('selected'))
    const events = [failed(createHook('"before all" hook', suite)), { name: 'suite end', suite } as const]
    expect(record(suite, events, { grep: /skipped|selected/ }).attempts).toEqual([
      ['skipped', 'skipped', 0],
      ['selected', 'blocked', 0],
    ])
  })

  it('records the current test as blocked when the tests of the suite are unknown', () => {
    const suite = { title: 's' }
    const events: MochaEvent[] = [
      { name: 'test', test: createTest('a') },
      failed(createHook('"before each" hook', suite)),
    ]
    expect(record({ title: '' }, events)).toMatchObject({ attempts: [['a', 'blocked', 0]], errors: [] })
  })

  it('records a suite error when no blocked test is known', () => {
    const events = [
      failed({ ...createHook('"before all" hook', { title: 's' }), titlePath: () => ['s', '"before all" hook'] }),
    ]
    expect(record({ title: '' }, events)).toMatchObject({ attempts: [], errors: ['s > "before all" hook'] })
  })
})

describe('EventReader', () => {
  it('keeps the status of a test when a hook after it fails, and records a suite error and blocked tests', () => {
    const [a, b] = [createTest('a'), createTest('b')]
    const suite = createSuite('s', a, b)
    const events: MochaEvent[] = [
      { name: 'test', test: a },
      { name: 'pass', test: a },
      failed(createHook('"after each" hook', suite)),
      { name: 'suite end', suite },
    ]
    expect(record(suite, events)).toEqual({
      replacing: [],
      attempts: [
        ['a', 'passed', 0],
        ['b', 'blocked', 0],
      ],
      errors: ['"after each" hook'],
      interrupted: false,
    })
  })

  it('records an error outside of tests and hooks with its file', () => {
    const events = [failed({ title: 'Uncaught error outside test suite', file: '/shop/cart.js' })]
    expect(record(createSuite(''), events).errors).toEqual(['cart.js'])
  })
})

describe('EventReader.end', () => {
  it('returns interrupted when selected tests have not run', () => {
    const [a, b] = [createTest('a'), createTest('b')]
    expect(record(createSuite('', a, b), [failed(a)]).interrupted).toBe(true)
    expect(record(createSuite('', a, b), [failed(a)], { grep: /a/ }).interrupted).toBe(false)
  })

  it('returns interrupted after a failure with bail when the tests are unknown', () => {
    expect(record({ title: '' }, [failed(createTest('a'))], { bail: true }).interrupted).toBe(true)
    expect(record({ title: '' }, [failed(createTest('a'))]).interrupted).toBe(false)
  })
})

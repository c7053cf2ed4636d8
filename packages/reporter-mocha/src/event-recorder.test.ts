import type { SuiteError, TestAttempt } from '@caseward/reporter-core'
import { describe, expect, it } from 'vitest'

import type { MochaEvent, MochaOptions, MochaSuite, MochaTest } from './mocha-objects.ts'
import { createEventRecorder } from './event-recorder.ts'

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

/** What is recorded of a run: title, status and row of each attempt; where errors were; whether it ended early. */
function logged(root: MochaSuite, events: MochaEvent[], options: MochaOptions = {}) {
  const attempts: TestAttempt[] = []
  const errors: SuiteError[] = []
  const reporter = {
    recordAttempt: (attempt: TestAttempt) => void attempts.push(attempt),
    recordSuiteError: (error: SuiteError) => void errors.push(error),
  }
  const log = createEventRecorder(reporter, root, options, '/shop')
  for (const event of events) log.handleEvent(event)
  const { interrupted } = log.end(events.filter(({ name }) => name === 'fail').length)
  const row = ({ testId }: TestAttempt) => Number(/(\d+)\]$/.exec(testId)?.[1])
  return {
    attempts: attempts.map((attempt) => [attempt.titlePath.join(), attempt.status, row(attempt)]),
    errors: errors.map(({ location: where }) => where),
    interrupted,
  }
}

describe('attempts', () => {
  it('at one test are told as such', () => {
    const [first, second] = [createTest('a'), createTest('a', 1)]
    const events: MochaEvent[] = [
      { name: 'retry', test: first, error: 'flaky' },
      { name: 'pass', test: second },
    ]
    const { attempts } = logged(createSuite('', second), events)
    expect(attempts).toEqual([
      ['a', 'failed', 0],
      ['a', 'passed', 0],
    ])
  })

  it('at tests with equal titles are told apart', () => {
    const [one, other] = [createTest('a'), createTest('a')]
    const { attempts } = logged(createSuite('', one, other), [failed(one), { name: 'pass', test: other }])
    expect(attempts).toEqual([
      ['a', 'failed', 0],
      ['a', 'passed', 1],
    ])
  })

  it('that fail after they were told as passed are another test, so that the failure counts', () => {
    const retried = createTest('a', 1)
    const first = createTest('a')
    const events: MochaEvent[] = [
      { name: 'retry', test: first, error: 'x' },
      { name: 'pass', test: retried },
    ]
    const { attempts } = logged(createSuite('', retried), [...events, failed(retried)])
    expect(attempts.at(-1)).toEqual(['a', 'failed', 1])
  })
})

describe('a hook before the tests that fails', () => {
  it('blocks what is left of its suite and of those below, when the suite ends', () => {
    const below = createSuite('below', createTest('c'))
    const suite = { ...createSuite('s', createTest('a'), createTest('b')), suites: [below] }
    const root = { ...createSuite(''), suites: [suite] }
    const [a] = suite.tests as [MochaTest]
    const { attempts, errors, interrupted } = logged(root, [
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

  it('leaves to Mocha the tests of which it says that they failed', () => {
    const test = createTest('a')
    const suite = createSuite('s', test)
    const events = [failed(createHook('"before all" hook', suite)), failed(test), { name: 'suite end', suite } as const]
    expect(logged(suite, events).attempts).toEqual([['a', 'failed', 0]])
  })

  it('blocks no test that is skipped or that nobody asked for', () => {
    const skipped = { ...createTest('skipped'), isPending: () => true }
    const suite = createSuite('s', skipped, createTest('other'), createTest('wanted'))
    const events = [failed(createHook('"before all" hook', suite)), { name: 'suite end', suite } as const]
    expect(logged(suite, events, { grep: /skipped|wanted/ }).attempts).toEqual([
      ['skipped', 'not_tested', 0],
      ['wanted', 'blocked', 0],
    ])
  })

  it('blocks the test that it was to prepare, where the tests of a suite are not known', () => {
    const suite = { title: 's' }
    const events: MochaEvent[] = [
      { name: 'test', test: createTest('a') },
      failed(createHook('"before each" hook', suite)),
    ]
    expect(logged({ title: '' }, events)).toMatchObject({ attempts: [['a', 'blocked', 0]], errors: [] })
  })

  it('is an error of the suite where no test is known that it blocked', () => {
    const events = [
      failed({ ...createHook('"before all" hook', { title: 's' }), titlePath: () => ['s', '"before all" hook'] }),
    ]
    expect(logged({ title: '' }, events)).toMatchObject({ attempts: [], errors: ['s > "before all" hook'] })
  })
})

it('a hook after a test that fails leaves its verdict, blocks the rest, and is an error of the suite', () => {
  const [a, b] = [createTest('a'), createTest('b')]
  const suite = createSuite('s', a, b)
  const events: MochaEvent[] = [
    { name: 'test', test: a },
    { name: 'pass', test: a },
    failed(createHook('"after each" hook', suite)),
    { name: 'suite end', suite },
  ]
  expect(logged(suite, events)).toEqual({
    attempts: [
      ['a', 'passed', 0],
      ['b', 'blocked', 0],
    ],
    errors: ['"after each" hook'],
    interrupted: false,
  })
})

it('an error outside of tests and hooks is one of its file', () => {
  const events = [failed({ title: 'Uncaught error outside test suite', file: '/shop/cart.js' })]
  expect(logged(createSuite(''), events).errors).toEqual(['cart.js'])
})

describe('a run', () => {
  it('was interrupted when tests that were asked for have not run', () => {
    const [a, b] = [createTest('a'), createTest('b')]
    expect(logged(createSuite('', a, b), [failed(a)]).interrupted).toBe(true)
    expect(logged(createSuite('', a, b), [failed(a)], { grep: /a/ }).interrupted).toBe(false)
  })

  it('was interrupted when it was to end with the first failure, where its tests are not known', () => {
    expect(logged({ title: '' }, [failed(createTest('a'))], { bail: true }).interrupted).toBe(true)
    expect(logged({ title: '' }, [failed(createTest('a'))]).interrupted).toBe(false)
  })
})

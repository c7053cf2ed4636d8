import type { SuiteError, TestAttempt } from '@caseward/reporter-core'
import { describe, expect, it } from 'vitest'

import type { MochaEvent, MochaOptions, MochaSuite, MochaTest } from './mocha-objects.ts'
import { createRunLog } from './event-recorder.ts'

type Suite = { title: string; tests: MochaTest[]; suites: MochaSuite[] }

const suiteOf = (title: string, ...tests: MochaTest[]): Suite => ({ title, tests, suites: [] })
const testOf = (title: string, retry = 0): MochaTest => ({
  type: 'test',
  title,
  titlePath: () => [title],
  currentRetry: () => retry,
})
const hookOf = (title: string, parent: MochaSuite): MochaTest => ({ type: 'hook', title, parent })
const failed = (test: MochaTest): MochaEvent => ({ name: 'fail', test, error: new Error('no database') })

/** What is recorded of a run: title, status and row of each attempt; where errors were; whether it ended early. */
function logged(root: MochaSuite, events: MochaEvent[], options: MochaOptions = {}) {
  const attempts: TestAttempt[] = []
  const errors: SuiteError[] = []
  const reporter = {
    recordAttempt: (attempt: TestAttempt) => void attempts.push(attempt),
    recordSuiteError: (error: SuiteError) => void errors.push(error),
  }
  const log = createRunLog(reporter, root, options, '/shop')
  for (const event of events) log.take(event)
  const { interrupted } = log.end(events.filter(({ name }) => name === 'fail').length)
  const row = ({ testId }: TestAttempt) => Number(/(\d+)\]$/.exec(testId)?.[1])
  return {
    attempts: attempts.map((attempt) => [attempt.titlePath.join(), attempt.status, row(attempt)]),
    errors: errors.map(({ where }) => where),
    interrupted,
  }
}

describe('attempts', () => {
  it('at one test are told as such', () => {
    const [first, second] = [testOf('a'), testOf('a', 1)]
    const events: MochaEvent[] = [
      { name: 'retry', test: first, error: 'flaky' },
      { name: 'pass', test: second },
    ]
    const { attempts } = logged(suiteOf('', second), events)
    expect(attempts).toEqual([
      ['a', 'failed', 0],
      ['a', 'passed', 0],
    ])
  })

  it('at tests with equal titles are told apart', () => {
    const [one, other] = [testOf('a'), testOf('a')]
    const { attempts } = logged(suiteOf('', one, other), [failed(one), { name: 'pass', test: other }])
    expect(attempts).toEqual([
      ['a', 'failed', 0],
      ['a', 'passed', 1],
    ])
  })

  it('that fail after they were told as passed are another test, so that the failure counts', () => {
    const retried = testOf('a', 1)
    const first = testOf('a')
    const events: MochaEvent[] = [
      { name: 'retry', test: first, error: 'x' },
      { name: 'pass', test: retried },
    ]
    const { attempts } = logged(suiteOf('', retried), [...events, failed(retried)])
    expect(attempts.at(-1)).toEqual(['a', 'failed', 1])
  })
})

describe('a hook before the tests that fails', () => {
  it('blocks what is left of its suite and of those below, when the suite ends', () => {
    const below = suiteOf('below', testOf('c'))
    const suite = { ...suiteOf('s', testOf('a'), testOf('b')), suites: [below] }
    const root = { ...suiteOf(''), suites: [suite] }
    const [a] = suite.tests as [MochaTest]
    const { attempts, errors, interrupted } = logged(root, [
      { name: 'pass', test: a },
      failed(hookOf('"before each" hook', suite)),
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
    const test = testOf('a')
    const suite = suiteOf('s', test)
    const events = [failed(hookOf('"before all" hook', suite)), failed(test), { name: 'suite end', suite } as const]
    expect(logged(suite, events).attempts).toEqual([['a', 'failed', 0]])
  })

  it('blocks no test that is skipped or that nobody asked for', () => {
    const skipped = { ...testOf('skipped'), isPending: () => true }
    const suite = suiteOf('s', skipped, testOf('other'), testOf('wanted'))
    const events = [failed(hookOf('"before all" hook', suite)), { name: 'suite end', suite } as const]
    expect(logged(suite, events, { grep: /skipped|wanted/ }).attempts).toEqual([
      ['skipped', 'not_tested', 0],
      ['wanted', 'blocked', 0],
    ])
  })

  it('blocks the test that it was to prepare, where the tests of a suite are not known', () => {
    const suite = { title: 's' }
    const events: MochaEvent[] = [{ name: 'test', test: testOf('a') }, failed(hookOf('"before each" hook', suite))]
    expect(logged({ title: '' }, events)).toMatchObject({ attempts: [['a', 'blocked', 0]], errors: [] })
  })

  it('is an error of the suite where no test is known that it blocked', () => {
    const events = [
      failed({ ...hookOf('"before all" hook', { title: 's' }), titlePath: () => ['s', '"before all" hook'] }),
    ]
    expect(logged({ title: '' }, events)).toMatchObject({ attempts: [], errors: ['s > "before all" hook'] })
  })
})

it('a hook after a test that fails leaves its verdict, blocks the rest, and is an error of the suite', () => {
  const [a, b] = [testOf('a'), testOf('b')]
  const suite = suiteOf('s', a, b)
  const events: MochaEvent[] = [
    { name: 'test', test: a },
    { name: 'pass', test: a },
    failed(hookOf('"after each" hook', suite)),
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
  expect(logged(suiteOf(''), events).errors).toEqual(['cart.js'])
})

describe('a run', () => {
  it('was interrupted when tests that were asked for have not run', () => {
    const [a, b] = [testOf('a'), testOf('b')]
    expect(logged(suiteOf('', a, b), [failed(a)]).interrupted).toBe(true)
    expect(logged(suiteOf('', a, b), [failed(a)], { grep: /a/ }).interrupted).toBe(false)
  })

  it('was interrupted when it was to end with the first failure, where its tests are not known', () => {
    expect(logged({ title: '' }, [failed(testOf('a'))], { bail: true }).interrupted).toBe(true)
    expect(logged({ title: '' }, [failed(testOf('a'))]).interrupted).toBe(false)
  })
})

import type { TestAttempt } from '@caseward/reporter-core'
import { expect, it } from 'vitest'

import { createFileRecorder } from './file-recorder.ts'
import type { JestTestResult } from './jest-results.ts'

const file = { path: '/shop/cart.test.js' }
const result = (title: string, status: string, invocations = 1): JestTestResult => ({ title, status, invocations })

/** What is recorded of a file: title, status, and which test it is among those with the same title. */
function logged(early: JestTestResult[], last: JestTestResult[], focused = false): [string, string, number][] {
  const attempts: TestAttempt[] = []
  const isSelected = ({ title }: JestTestResult) => title !== 'not asked for'
  const log = createFileRecorder(file, '/shop', isSelected, (attempt) => attempts.push(attempt))
  if (focused) log.markFocused()
  for (const each of early) log.recordEarlyResult(each)
  log.recordFinalResults(last)
  const row = ({ testId }: TestAttempt) => Number(/(\d+)\]$/.exec(testId)?.[1])
  return attempts.map((attempt) => [attempt.titlePath.join(), attempt.status, row(attempt)])
}

it('records what is told early once', () => {
  const both = [result('a', 'passed'), result('b', 'failed')]
  expect(logged(both, both)).toEqual([
    ['a', 'passed', 0],
    ['b', 'failed', 0],
  ])
})

it('records what is told at the end only', () => {
  expect(logged([result('a', 'passed')], [result('a', 'passed'), result('b', 'pending')])).toEqual([
    ['a', 'passed', 0],
    ['b', 'not_tested', 0],
  ])
})

it('takes attempts at a test for one test', () => {
  const early = [result('a', 'failed'), result('a', 'failed', 2), result('a', 'passed', 3)]
  expect(logged(early, [result('a', 'passed', 3)]).map(([, , row]) => row)).toEqual([0, 0, 0])
})

it('tells rows with equal titles apart, when each is retried in its turn', () => {
  const early = [result('a', 'failed'), result('a', 'failed'), result('a', 'failed', 2), result('a', 'passed', 3)]
  const late = [...early, result('a', 'passed', 2)]
  expect(logged(late, [result('a', 'passed', 3), result('a', 'passed', 2)])).toEqual([
    ['a', 'failed', 0],
    ['a', 'failed', 1],
    ['a', 'failed', 0],
    ['a', 'passed', 0],
    ['a', 'passed', 1],
  ])
})

it('never takes an attempt at one row for one at another with the same title that has passed', () => {
  const early = [result('a', 'passed'), result('a', 'failed'), result('a', 'failed', 2)]
  expect(logged(early, [result('a', 'passed'), result('a', 'failed', 2)])).toEqual([
    ['a', 'passed', 0],
    ['a', 'failed', 1],
    ['a', 'failed', 1],
  ])
})

it('records each row with the same title, also when only some were told early', () => {
  expect(logged([result('a', 'passed')], [result('a', 'passed'), result('a', 'passed')])).toEqual([
    ['a', 'passed', 0],
    ['a', 'passed', 1],
  ])
})

it('takes a test that failed after it was told as passed for another, so that the failure counts', () => {
  expect(logged([result('a', 'passed')], [result('a', 'failed')])).toEqual([
    ['a', 'passed', 0],
    ['a', 'failed', 1],
  ])
})

it('leaves out what nobody asked to run', () => {
  expect(logged([], [result('not asked for', 'pending'), result('skipped', 'pending')])).toEqual([
    ['skipped', 'not_tested', 0],
  ])
})

it('leaves out what is skipped in a file of which single tests are asked for', () => {
  const both = [result('a', 'passed')]
  expect(logged(both, [...both, result('b', 'pending')], true)).toEqual([['a', 'passed', 0]])
})

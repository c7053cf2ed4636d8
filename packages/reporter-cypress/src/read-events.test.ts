import type { SuiteError, TestAttempt } from '@caseward/reporter-core'
import { describe, expect, it } from 'vitest'

import type { CypressSpecResults, CypressTest } from './framework-types.ts'
import { createResultReader } from './read-events.ts'

function readSpec(results: CypressSpecResults) {
  const attempts: TestAttempt[] = []
  const errors: SuiteError[] = []
  const reader = createResultReader({
    recordAttempt: (attempt) => void attempts.push(attempt),
    recordSuiteError: (error) => void errors.push(error),
  })
  reader.readSpec({ relative: 'cart.cy.js' }, results)
  return { attempts, errors }
}

const read = (...tests: CypressTest[]) => readSpec({ tests, error: null }).attempts

describe('ResultReader', () => {
  it('distinguishes tests with equal titles, and gives all attempts at a test the same id', () => {
    const attempts = [{ state: 'failed' }, { state: 'passed' }]
    const ids = read({ title: ['row'], attempts }, { title: ['row'], attempts }).map(({ testId }) => testId)
    expect(ids[0]).toBe(ids[1])
    expect(ids[2]).toBe(ids[3])
    expect(ids[0]).not.toBe(ids[2])
  })

  it('converts a test that was skipped without a failed hook to skipped', () => {
    expect(read({ title: ['a'], state: 'skipped', attempts: [] })).toMatchObject([{ status: 'skipped' }])
  })

  it('uses the status of the test if it differs from those of its attempts', () => {
    const mixed = [{ state: 'failed' }, { state: 'passed' }]
    expect(read({ title: ['a'], state: 'failed', attempts: mixed })).toMatchObject([{ status: 'failed' }])
    expect(read({ title: ['a'], state: 'passed', attempts: [{ state: 'failed' }] })).toMatchObject([
      { status: 'passed' },
    ])
  })

  it('records an error for a test that cannot be read, and the tests after it', () => {
    const { attempts, errors } = readSpec({ tests: [null as never, { title: ['b'], state: 'passed' }] })
    expect(attempts).toMatchObject([{ titlePath: ['b'], status: 'passed' }])
    expect(errors).toMatchObject([{ location: 'cart.cy.js', message: expect.stringContaining('could not be read') }])
  })

  it('converts a test without a state to interrupted', () => {
    expect(read({ title: ['a'], attempts: [{}] })).toMatchObject([{ status: 'interrupted' }])
  })
})

describe('ResultReader without tests', () => {
  it.each([
    ['null with a reason', null, 'Cannot compile', 'Cannot compile'],
    ['null without a reason', null, null, 'The spec has no results: it did not compile, or the browser crashed.'],
    ['missing', undefined, undefined, 'The spec has no results: it did not compile, or the browser crashed.'],
    ['empty with an error', [], 'The browser crashed', 'The browser crashed'],
  ])('records a suite error when the tests are %s', (_, tests, error, message) => {
    expect(readSpec({ tests, error })).toEqual({
      attempts: [],
      errors: [{ location: 'cart.cy.js', message }],
    })
  })

  it('records nothing when the list of tests is empty', () => {
    expect(readSpec({ tests: [], error: null })).toEqual({ attempts: [], errors: [] })
  })
})

import { describe, expect, it } from 'vitest'

import { toAttempts } from './to-attempts.ts'
import type { CypressTest } from './cypress-results.ts'

const read = (...tests: CypressTest[]) => toAttempts('cart.cy.js', { tests, error: null }).attempts

describe('a test', () => {
  it('is another than those of equal titles, and the same in each of its attempts', () => {
    const attempts = [{ state: 'failed' }, { state: 'passed' }]
    const ids = read({ title: ['row'], attempts }, { title: ['row'], attempts }).map(({ testId }) => testId)
    expect(ids[0]).toBe(ids[1])
    expect(ids[2]).toBe(ids[3])
    expect(ids[0]).not.toBe(ids[2])
  })

  it('that was skipped without a hook that failed was not blocked', () => {
    expect(read({ title: ['a'], state: 'skipped', attempts: [] })).toMatchObject([{ status: 'not_tested' }])
  })

  it('has the status that Cypress gives it, where that is not what its attempts say', () => {
    const mixed = [{ state: 'failed' }, { state: 'passed' }]
    expect(read({ title: ['a'], state: 'failed', attempts: mixed })).toMatchObject([{ status: 'failed' }])
    expect(read({ title: ['a'], state: 'passed', attempts: [{ state: 'failed' }] })).toMatchObject([
      { status: 'passed' },
    ])
  })

  it('that neither passed nor failed nor was left out has to be run again', () => {
    expect(read({ title: ['a'], attempts: [{}] })).toMatchObject([{ status: 'retest' }])
  })
})

describe('the results of a spec', () => {
  it.each([
    ['null, with the reason', null, 'Cannot compile', 'Cannot compile'],
    ['null, without a word', null, null, 'The spec has no results: it did not compile, or the browser crashed.'],
    ['absent', undefined, undefined, 'The spec has no results: it did not compile, or the browser crashed.'],
    ['there, beside an error', [], 'The browser crashed', 'The browser crashed'],
  ])('that are %s are an error of the suite', (_what, tests, error, message) => {
    expect(toAttempts('cart.cy.js', { tests, error })).toEqual({
      attempts: [],
      errors: [{ location: 'cart.cy.js', message }],
    })
  })

  it('of no tests at all are none', () => {
    expect(toAttempts('cart.cy.js', { tests: [], error: null })).toEqual({ attempts: [], errors: [] })
  })
})

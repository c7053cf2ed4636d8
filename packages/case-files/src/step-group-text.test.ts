import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { formatStepGroups, parseStepGroups } from './step-group-text.ts'

const title = fc.string({ minLength: 1 }).map((text) => `${text.replaceAll(/\s+/g, ' ').trim()}x`)
const group = fc.record({ title, first: fc.integer({ min: 1, max: 400 }), count: fc.integer({ min: 1, max: 99 }) })

describe('the cell of shared steps', () => {
  it('reads what it writes, with commas and backslashes in titles', () => {
    fc.assert(
      fc.property(fc.array(group), (groups) => {
        const written = groups.map((item) => ({ ...item, shared_step_id: 'a', version: 1, follows: true }))
        expect(parseStepGroups(formatStepGroups(written))).toEqual(groups)
      }),
    )
  })

  it('accepts dashes and spaces, and says what a cell must be', () => {
    expect(parseStepGroups('2 – 4 Sign in, 7 Pay, by card')).toMatch('"by card" must be')
    expect(parseStepGroups(String.raw`2 – 4 Sign in, 7 Pay\, by card`)).toEqual([
      { title: 'Sign in', first: 2, count: 3 },
      { title: 'Pay, by card', first: 7, count: 1 },
    ])
    expect(parseStepGroups('4-2 Sign in')).toMatch('must be the numbers of its steps and its title')
    expect(parseStepGroups('')).toEqual([])
  })
})

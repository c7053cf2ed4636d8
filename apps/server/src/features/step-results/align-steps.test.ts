import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { alignSteps, digestSteps } from './align-steps.ts'

/** Digests of steps, given the first letter of each action. */
const digest = (letters: string) => digestSteps(letters.split('').map((action) => ({ action, expected: '' })))
const align = (before: string, after: string) => Object.fromEntries(alignSteps(digest(before), digest(after)))

describe('alignSteps', () => {
  it.each([
    ['ABC', 'ABC', { 1: 1, 2: 2, 3: 3 }],
    ['ABC', 'XABC', { 1: 2, 2: 3, 3: 4 }],
    ['ABC', 'AXBYC', { 1: 1, 2: 3, 3: 5 }],
    ['ABC', 'BC', { 2: 1, 3: 2 }],
    ['ABC', 'AxC', { 1: 1, 2: 2, 3: 3 }],
    ['ABC', 'XAbC', { 1: 2, 2: 3, 3: 4 }],
    ['ABC', 'CAB', { 1: 2, 2: 3, 3: 1 }],
    ['AAB', 'AB', { 1: 1, 3: 2 }],
    ['ABC', 'xyz', { 1: 1, 2: 2, 3: 3 }],
    ['ABC', 'xy', {}],
    ['ABC', '', {}],
    ['', 'ABC', {}],
  ])('finds the steps of %s in %s', (before, after, positions) => {
    expect(align(before, after)).toEqual(positions)
  })

  it('finds every step that stays, and never gives two steps one position', () => {
    const steps = fc
      .uniqueArray(fc.integer({ min: 0, max: 25 }), { maxLength: 12 })
      .map((numbers) => String.fromCodePoint(...numbers.map((number) => 65 + number)))
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        const positions = alignSteps(digest(before), digest(after))
        const letters = before.split('')
        const remaining = letters.filter((letter) => after.includes(letter))
        const found = remaining.map((letter) => positions.get(letters.indexOf(letter) + 1))
        expect(found).toEqual(remaining.map((letter) => after.indexOf(letter) + 1))
        expect(new Set(positions.values()).size).toBe(positions.size)
      }),
    )
  })
})

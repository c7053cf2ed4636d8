import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { combineAll, combinePairs, countAllCombinations, countLeastPairs } from './combine-configurations.ts'

const groupsOf = fc
  .array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 6 })
  .map((sizes) => sizes.map((size, group) => Array.from({ length: size }, (_, index) => `${group}:${index}`)))

describe('combinePairs', () => {
  it('contains every pair of two groups, each combination once, and never more than all combinations', () => {
    fc.assert(
      fc.property(groupsOf, (groups) => {
        const combinations = combinePairs(groups)
        const keys = combinations.map((row) => row.join())
        expect(new Set(keys).size).toBe(keys.length)
        expect(combinations.length).toBeLessThanOrEqual(countAllCombinations(groups))
        expect(combinations.length).toBeGreaterThanOrEqual(countLeastPairs(groups))
        for (const row of combinations) {
          expect(row.map((value, index) => groups[index]?.includes(value))).toEqual(groups.map(() => true))
        }
        for (const [first, values] of groups.entries()) {
          for (const [second, others] of groups.entries()) {
            if (first === second) continue
            for (const value of values) {
              for (const other of others) {
                expect(combinations.some((row) => row[first] === value && row[second] === other)).toBe(true)
              }
            }
          }
        }
        expect(combinePairs(groups)).toEqual(combinations)
      }),
      { numRuns: 200 },
    )
  })

  it('needs far fewer than all for many groups', () => {
    const groups = Array.from({ length: 8 }, () => [1, 2, 3])
    expect(countAllCombinations(groups)).toBe(6561)
    expect(combinePairs(groups).length).toBeLessThanOrEqual(20)
  })
})

describe('combineAll', () => {
  it('returns every combination in order, and none of no groups', () => {
    expect(
      combineAll<string | number>([
        ['a', 'b'],
        [1, 2],
      ]),
    ).toEqual([
      ['a', 1],
      ['a', 2],
      ['b', 1],
      ['b', 2],
    ])
    expect(combineAll([])).toEqual([])
  })
})

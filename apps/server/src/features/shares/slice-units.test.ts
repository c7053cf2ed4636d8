import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { sumCounts } from './report-runs.queries.ts'
import { sliceUnits } from './slice-units.ts'

const makeUnit = (count: number, index: number) => ({
  source: { root: `root ${index}`, runIds: [`run ${index}`] },
  stats: { ...sumCounts([]), passed: count },
})

describe('sliceUnits', () => {
  it('puts every result on exactly one page, in the order of the units, and fills every page but the last', () => {
    const counts = fc.array(fc.nat({ max: 12 }), { maxLength: 8 })
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 10 }), (all, limit) => {
        const units = all.map(makeUnit)
        const expected = all.flatMap((count, index) => Array.from({ length: count }, (_, place) => `${index}/${place}`))
        const pages: string[][] = []
        for (let offset = 0; offset < expected.length; offset += limit) {
          const slices = sliceUnits(units, ({ stats }) => stats.passed, { offset, limit })
          pages.push(
            slices.flatMap(({ source, skip, take }) =>
              Array.from({ length: take }, (_, place) => `${source.root.slice(5)}/${skip + place}`),
            ),
          )
        }
        expect(pages.flat()).toEqual(expected)
        expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true)
      }),
    )
  })
})

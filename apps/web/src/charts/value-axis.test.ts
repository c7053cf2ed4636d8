import { expect, it } from 'vitest'

import { getLevel } from './heat-levels.ts'
import { chooseTimeTicks, chooseValueTicks } from './value-axis.ts'

it('a value axis begins at zero, and ends at or above the largest value', () => {
  expect(chooseValueTicks(1)).toEqual([0, 1])
  expect(chooseValueTicks(7)).toEqual([0, 2, 4, 6, 8])
  expect(chooseValueTicks(1204)).toEqual([0, 500, 1000, 1500])
  for (const max of [2, 3, 9, 99, 100, 12_345, 7_000_000]) {
    const ticks = chooseValueTicks(max)
    expect([ticks[0], ticks.length <= 5, (ticks.at(-1) ?? 0) >= max]).toEqual([0, true, true])
  }
})

it('an axis of seconds has whole minutes or hours', () => {
  expect(chooseTimeTicks(90)).toEqual([0, 50, 100])
  expect(chooseTimeTicks(190)).toEqual([0, 60, 120, 180, 240])
  expect(chooseTimeTicks(7300)).toEqual([0, 3600, 7200, 10_800])
})

it('the shades of a heat map are 1, 2 to 4, 5 to 19, and 20 or more', () => {
  expect([1, 2, 4, 5, 19, 20, 1000].map(getLevel)).toEqual([0, 1, 1, 2, 2, 3, 3])
})

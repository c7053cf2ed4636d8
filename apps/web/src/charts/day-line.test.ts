import { expect, it } from 'vitest'

import { drawLine, isAlone } from './day-line.ts'

const days = ['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04', '2026-11-05']
const draw = (values: ReadonlyMap<string, number>) =>
  drawLine(
    days,
    values,
    (column) => column,
    (value) => value,
  )

it('a day without a value is a gap in a line, which begins anew behind it', () => {
  const values = new Map([
    ['2026-11-01', 7],
    ['2026-11-02', 0],
    ['2026-11-04', 5],
    ['2026-11-05', 6],
  ])
  expect(draw(values)).toBe('M0.0 7.0L1.0 0.0M3.0 5.0L4.0 6.0')
  expect(days.map((_, column) => isAlone(days, column, values))).toEqual([false, false, false, false, false])
})

it('one day, or days with gaps between them, are points without a line', () => {
  const values = new Map([
    ['2026-11-01', 7],
    ['2026-11-03', 5],
  ])
  expect(draw(values)).toBe('M0.0 7.0M2.0 5.0')
  expect([0, 2].map((column) => isAlone(days, column, values))).toEqual([true, true])
  expect(draw(new Map())).toBe('')
})

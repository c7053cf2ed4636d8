import { describe, expect, it } from 'vitest'

import { buildBurnUp } from './build-burn-up.ts'

const day = (name: string, executed: number, failed = 0) => ({ day: name, executed, failed })
const burnUp = { total: 10, days: [day('2026-11-20', 2, 1), day('2026-11-21', 3), day('2026-11-22', 5)] }

describe('buildBurnUp', () => {
  it('ends today without dates', () => {
    const chart = buildBurnUp(burnUp, null, null)
    expect(chart.executed).toEqual([
      { left: 0, height: 20 },
      { left: 50, height: 30 },
      { left: 100, height: 50 },
    ])
    expect(chart).toMatchObject({ pace: [], dueLeft: null, firstDay: '2026-11-20', lastDay: '2026-11-22' })
  })

  it('goes on until the due date and the expected day', () => {
    const chart = buildBurnUp(burnUp, '2026-11-24T23:59:59.000Z', '2026-11-30')
    expect(chart.lastDay).toBe('2026-11-30')
    expect(chart.dueLeft).toBe(40)
    expect(chart.pace).toEqual([
      { left: 20, height: 50 },
      { left: 100, height: 100 },
    ])
  })

  it('leaves out what is too far away, and a due date before the first result', () => {
    expect(buildBurnUp(burnUp, '2030-01-01', '2030-01-01')).toMatchObject({ pace: [], dueLeft: null })
    expect(buildBurnUp(burnUp, '2026-11-01', null).dueLeft).toBe(null)
  })

  it('draws a single day and no results', () => {
    expect(buildBurnUp({ total: 0, days: [day('2026-11-22', 0)] }, null, null).executed).toEqual([
      { left: 0, height: 0 },
    ])
  })
})

import { describe, expect, it } from 'vitest'

import { buildTimeline } from './build-timeline.ts'

const now = Date.parse('2026-11-23T00:00:00Z')
const make = (start_date: string | null, due_date: string | null) => ({
  start_date,
  due_date,
  created_at: '2026-11-13T00:00:00Z',
})

describe('buildTimeline', () => {
  it('places bars from start to due, and today between them', () => {
    const { today, bars } = buildTimeline([make('2026-11-13', '2026-12-03'), make('2026-11-23', '2026-12-03')], now)
    expect(today).toBe(50)
    expect(bars[0]).toEqual({ left: 2.83, width: 94.34, isOpenEnded: false })
    expect(bars[1]).toMatchObject({ left: 50 })
  })

  it('begins with the creation, goes on without a due date, and has no bar without dates', () => {
    const { bars } = buildTimeline([make(null, '2026-12-03'), make('2026-11-23', null), make(null, null)], now)
    expect(bars).toEqual([
      { left: 2.83, width: 94.34, isOpenEnded: false },
      { left: 50, width: 50, isOpenEnded: true },
      null,
    ])
  })

  it.each([
    ['weeks', '2026-12-20', ['16 Nov', '23 Nov', '30 Nov', '7 Dec', '14 Dec', '21 Dec']],
    ['months', '2027-03-20', ['Nov 2026', 'Dec 2026', 'Jan 2027', 'Feb 2027', 'Mar 2027']],
  ])('has ticks for %s', (_, due, labels) => {
    const { ticks } = buildTimeline([make(null, due)], now)
    expect(ticks.map(({ label }) => label)).toEqual(labels)
  })

  it('leaves out the month in which the scale begins if its label would touch the next', () => {
    const { ticks } = buildTimeline([make('2026-11-23', '2027-06-15')], now)
    expect(ticks[0]?.label).toBe('Dec 2026')
  })

  it('has few ticks for a hundred years, and a scale without dates', () => {
    expect(buildTimeline([make('2000-01-01', '2100-01-01')], now).ticks.length).toBeLessThan(10)
    expect(buildTimeline([make(null, null)], now).bars).toEqual([null])
  })
})

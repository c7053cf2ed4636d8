import { describe, expect, it } from 'vitest'

import { formatDay, formatDue, getDay, getPhaseWord, toTime } from './milestone-words.ts'

const now = Date.parse('2026-11-23T12:00:00Z')

describe('formatDue', () => {
  it.each([
    ['2026-11-28T23:59:59Z', 'in 5 days'],
    ['2026-11-24T00:00:00Z', 'tomorrow'],
    ['2026-11-23T23:59:59Z', 'today'],
    ['2026-11-23T00:00:00Z', 'overdue since today'],
    ['2026-11-22T23:59:59Z', '1 day overdue'],
    ['2026-11-20T00:00:00Z', '3 days overdue'],
  ])('formats %s as "%s"', (at, words) => {
    expect(formatDue(at, now)).toBe(words)
  })
})

describe('days', () => {
  it('are the same after they were stored', () => {
    for (const date of ['start', 'due'] as const) expect(getDay(toTime('2026-12-01', date))).toBe('2026-12-01')
    expect([toTime('', 'due'), getDay(null)]).toEqual([null, ''])
  })

  it('have the year unless it is this one', () => {
    expect([formatDay('2026-12-01T23:59:59Z', now), formatDay('2027-01-01T00:00:00Z', now)]).toEqual([
      '1 Dec',
      '1 Jan 2027',
    ])
  })
})

describe('getPhaseWord', () => {
  it('has a word for past due and for archived', () => {
    expect(getPhaseWord({ phase: 'past_due', status: 'active' })).toBe('Overdue')
    expect(getPhaseWord({ phase: 'completed', status: 'archived' })).toBe('Archived')
  })
})

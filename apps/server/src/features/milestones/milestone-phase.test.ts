import { MILESTONE_STATUSES } from '@caseward/contract/milestones'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { derivePhase, isDueBeforeStart } from './milestone-progress.ts'

const day = (number: number) => new Date(Date.UTC(2026, 10, number))
const anyDate = fc.option(fc.date({ noInvalidDate: true }))
const anyDated = fc.record({
  status: fc.constantFrom(...MILESTONE_STATUSES),
  start_date: anyDate,
  due_date: anyDate,
})

describe('derivePhase', () => {
  const now = day(15)
  it.each([
    ['active', null, null, 'started'],
    ['active', day(14), day(16), 'started'],
    ['active', day(14), day(14), 'past_due'],
    ['active', null, day(14), 'past_due'],
    ['active', day(16), null, 'upcoming'],
    ['active', day(16), day(17), 'upcoming'],
    ['active', now, now, 'started'],
    // Derived dates can contradict each other: past due takes precedence.
    ['active', day(16), day(14), 'past_due'],
    ['completed', day(16), day(14), 'completed'],
    ['archived', null, day(14), 'completed'],
  ] as const)(
    'returns, for the status %s and the dates %o to %o, the phase %s',
    { tags: ['spec:milestones/upcoming-started-past_due-completed-decided-the'] },
    (status, start_date, due_date, phase) => {
      expect(derivePhase({ status, start_date, due_date }, now)).toBe(phase)
    },
  )

  it('returns no earlier phase at a later time', () => {
    const order = ['upcoming', 'started', 'past_due', 'completed']
    fc.assert(
      fc.property(anyDated, fc.date({ noInvalidDate: true }), fc.nat(), (own, moment, laterMs) => {
        const later = new Date(Math.min(moment.getTime() + laterMs, 8.64e15))
        expect(order.indexOf(derivePhase(own, later))).toBeGreaterThanOrEqual(order.indexOf(derivePhase(own, moment)))
      }),
    )
  })
})

describe('isDueBeforeStart', () => {
  it.each([
    [day(2), day(1), true],
    [day(1), day(1), false],
    [day(1), day(2), false],
    [null, day(1), false],
    [day(1), null, false],
    [null, null, false],
  ])('for the start date %o and the due date %o returns %s', (start_date, due_date, expected) => {
    expect(isDueBeforeStart({ start_date, due_date })).toBe(expected)
  })
})

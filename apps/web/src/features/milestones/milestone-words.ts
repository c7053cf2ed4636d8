import type { MilestoneStatus } from '@caseward/client/endpoints'

import type { Search } from '../../search-params.ts'
import type { searchSchemas } from '../../search-schemas.ts'
import { formatNumberOf } from '../../ui/format-count.ts'
import type { FullMilestone } from './milestone-queries.ts'

/** What the URL of the page says. */
export type MilestonesView = Search<typeof searchSchemas.milestones>

/** What the app calls the phases. An archived milestone is in the phase of completed ones, with its own word. */
export type PhaseWord = 'Upcoming' | 'Started' | 'Overdue' | 'Completed' | 'Archived'

const phaseWords = {
  upcoming: 'Upcoming',
  started: 'Started',
  past_due: 'Overdue',
  completed: 'Completed',
} as const satisfies Record<FullMilestone['phase'], PhaseWord>

export const getPhaseWord = ({ phase, status }: Pick<FullMilestone, 'phase' | 'status'>): PhaseWord =>
  status === 'archived' ? 'Archived' : phaseWords[phase]

export const milestoneStatusNames: Readonly<Record<MilestoneStatus, string>> = {
  active: 'Active',
  completed: 'Completed',
  archived: 'Archived',
}

const DAY_MS = 86_400_000

/**
 * Returns the day of a date as in a date field: "2026-12-01". The dates of milestones are days in UTC, so that they are the
 * same for all readers.
 */
export const getDay = (at: string | null): string => (at === null ? '' : new Date(at).toISOString().slice(0, 10))

/** Converts a day to the time that is stored: a start begins its day, and a due day is over at its end. */
export function toTime(day: string, date: 'start' | 'due'): string | null {
  if (day === '') return null
  return date === 'start' ? `${day}T00:00:00.000Z` : `${day}T23:59:59.000Z`
}

/** Formats a day: "1 Dec", "1 Dec 2025". @param now in milliseconds since 1970 */
export function formatDay(at: string, now: number): string {
  const date = new Date(at)
  const isThisYear = date.getUTCFullYear() === new Date(now).getUTCFullYear()
  const format = isThisYear ? shortDay : longDay
  return format.format(date)
}

const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const longDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** Formats how far a due date is: "in 5 days", "today", "3 days overdue". @param now in milliseconds since 1970 */
export function formatDue(at: string, now: number): string {
  const due = Date.parse(at)
  const days = Math.floor(due / DAY_MS) - Math.floor(now / DAY_MS)
  if (due < now) return days === 0 ? 'overdue since today' : `${formatNumberOf(-days, 'day')} overdue`
  if (days === 0) return 'today'
  return days === 1 ? 'tomorrow' : `in ${formatNumberOf(days, 'day')}`
}

/** Says when a milestone is: "3 Nov to 13 Dec, in 20 days", and where that comes from. @param now in milliseconds since 1970 */
export function describeMilestoneDates(
  milestone: Pick<FullMilestone, 'start_date' | 'due_date' | 'date_mode' | 'phase'>,
  subCount: number,
  now: number,
): string {
  const { start_date: start, due_date: due, date_mode: mode, phase } = milestone
  if (start === null && due === null) return 'No dates'
  const from = start === null ? '' : `From ${formatDay(start, now)}`
  const until = due === null ? 'no due date' : `due ${formatDay(due, now)}`
  const age = due === null || phase === 'completed' ? '' : `, ${formatDue(due, now)}`
  const origin = subCount > 0 && mode === 'auto' ? ' (the dates of its sub-milestones)' : ''
  const text = [from, until].filter((part) => part !== '').join(', ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${age}${origin}`
}

/** Says why a milestone has its status, if it did not get it itself. */
export const explainStatus = ({ status }: Pick<FullMilestone, 'status'>, subCount: number): string | null =>
  subCount === 0
    ? null
    : `${milestoneStatusNames[status]}, as the least finished of its ${formatNumberOf(subCount, 'sub-milestone')}`

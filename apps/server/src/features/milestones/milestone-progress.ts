import { MILESTONE_STATUSES, type MilestonePhase, type MilestoneStatus } from '@caseward/contract/milestones'

/*
 * What a milestone shows, from what it and its sub-milestones hold of their own. Nesting has one level, so that a
 * sub-milestone never has any below it.
 */

/** Start and due; each may be missing. */
export interface MilestoneDates {
  start_date: Date | null
  due_date: Date | null
}

/** What a milestone holds of its own: what was sent for it, and the counts of the runs linked to it. */
export interface StoredMilestone extends MilestoneDates {
  status: MilestoneStatus
  date_mode: 'auto' | 'manual'
  /** Results that have a status other than not_tested. */
  tested_count: number
  result_count: number
}

/** Percent, a whole number. */
export function computeProgress(own: StoredMilestone, subs: readonly StoredMilestone[]): number {
  if (subs.length === 0) return ownProgress(own)
  const sum = subs.reduce((total, sub) => total + ownProgress(sub), 0)
  return Math.round(sum / subs.length)
}

function ownProgress({ status, tested_count: tested, result_count: all }: StoredMilestone): number {
  if (status === 'completed') return 100
  return all === 0 ? 0 : Math.round((100 * tested) / all)
}

/** The least finished of the sub-milestones' statuses; without any, its own. */
export function deriveStatus(
  own: Pick<StoredMilestone, 'status'>,
  subs: readonly Pick<StoredMilestone, 'status'>[],
): MilestoneStatus {
  if (subs.length === 0) return own.status
  return MILESTONE_STATUSES.find((status) => subs.some((sub) => sub.status === status)) ?? own.status
}

/** The earliest start and the latest due of the sub-milestones; where they have none, or in mode manual, its own. */
export function deriveDates(
  own: MilestoneDates & Pick<StoredMilestone, 'date_mode'>,
  subs: readonly MilestoneDates[],
): MilestoneDates {
  if (own.date_mode === 'manual') return { start_date: own.start_date, due_date: own.due_date }
  const starts = getTimes(subs.map((sub) => sub.start_date))
  const dues = getTimes(subs.map((sub) => sub.due_date))
  return {
    start_date: starts.length === 0 ? own.start_date : new Date(Math.min(...starts)),
    due_date: dues.length === 0 ? own.due_date : new Date(Math.max(...dues)),
  }
}

const getTimes = (dates: readonly (Date | null)[]) => dates.flatMap((date) => (date === null ? [] : [date.getTime()]))

/** Where a milestone stands at a moment, by the status and the dates that it shows. */
export function derivePhase({ status, start_date: start, due_date: due }: DerivedMilestone, now: Date): MilestonePhase {
  if (status !== 'active') return 'completed'
  if (due !== null && due < now) return 'past_due'
  return start !== null && start > now ? 'upcoming' : 'started'
}
type DerivedMilestone = MilestoneDates & { status: MilestoneStatus }

/** Whether it would be due before it starts. */
export const isDueBeforeStart = ({ start_date: start, due_date: due }: MilestoneDates): boolean =>
  start !== null && due !== null && due < start

import { MILESTONE_STATUSES, type MilestonePhase, type MilestoneStatus } from '@caseward/contract/milestones'

/*
 * The values of a milestone that are derived from its own fields and from its sub-milestones. There is only one level of
 * nesting: a sub-milestone has no sub-milestones.
 */

export interface MilestoneDates {
  start_date: Date | null
  due_date: Date | null
}

/** The stored fields of a milestone that others derive from, with the counts of its linked runs. */
export interface StoredMilestone extends MilestoneDates {
  status: MilestoneStatus
  date_mode: 'auto' | 'manual'
  /** Results with a status other than not_tested. */
  tested_count: number
  result_count: number
  /** The same of runs that the retention has deleted. */
  deleted_tested_count: number
  deleted_result_count: number
}

/** Returns a whole number of percent. */
export function computeProgress(milestone: StoredMilestone, subMilestones: readonly StoredMilestone[]): number {
  if (subMilestones.length === 0) return computeOwnProgress(milestone)
  const sum = subMilestones.reduce((total, subMilestone) => total + computeOwnProgress(subMilestone), 0)
  return Math.round(sum / subMilestones.length)
}

function computeOwnProgress(milestone: StoredMilestone): number {
  if (milestone.status === 'completed') return 100
  const tested = milestone.tested_count + milestone.deleted_tested_count
  const all = milestone.result_count + milestone.deleted_result_count
  return all === 0 ? 0 : Math.round((100 * tested) / all)
}

/** Returns the least finished status of the sub-milestones, or the milestone's own when there are none. */
export function deriveStatus(
  milestone: Pick<StoredMilestone, 'status'>,
  subMilestones: readonly Pick<StoredMilestone, 'status'>[],
): MilestoneStatus {
  const statuses = new Set(subMilestones.map(({ status }) => status))
  return MILESTONE_STATUSES.find((status) => statuses.has(status)) ?? milestone.status
}

/**
 * Returns the earliest start date and the latest due date of the sub-milestones. The milestone's own date is used when no
 * sub-milestone has one, and in mode manual.
 */
export function deriveDates(
  milestone: MilestoneDates & Pick<StoredMilestone, 'date_mode'>,
  subMilestones: readonly MilestoneDates[],
): MilestoneDates {
  const { start_date, due_date, date_mode } = milestone
  if (date_mode === 'manual') return { start_date, due_date }
  const starts = getTimes(subMilestones.map((subMilestone) => subMilestone.start_date))
  const dues = getTimes(subMilestones.map((subMilestone) => subMilestone.due_date))
  return {
    start_date: starts.length === 0 ? start_date : new Date(Math.min(...starts)),
    due_date: dues.length === 0 ? due_date : new Date(Math.max(...dues)),
  }
}

const getTimes = (dates: readonly (Date | null)[]) => dates.flatMap((date) => (date === null ? [] : [date.getTime()]))

/** A milestone with its derived status and dates. */
type DerivedMilestone = MilestoneDates & { status: MilestoneStatus }

export function derivePhase({ status, start_date: start, due_date: due }: DerivedMilestone, now: Date): MilestonePhase {
  if (status !== 'active') return 'completed'
  if (due !== null && due < now) return 'past_due'
  return start !== null && start > now ? 'upcoming' : 'started'
}

export const isDueBeforeStart = ({ start_date: start, due_date: due }: MilestoneDates): boolean =>
  start !== null && due !== null && due < start

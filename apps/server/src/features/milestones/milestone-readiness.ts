import type { MilestoneReadiness } from '@caseward/contract/milestone-readiness'

/** The rules of readiness: how fast a milestone is tested, and when it is done at this pace. */

/** The pace is the mean of this many days. */
export const PACE_DAYS = 7
const DAY = 86_400_000
const MOST_DAYS = 3650

export interface ReadinessCounts extends Omit<MilestoneReadiness, 'pace_per_day' | 'expected_on'> {
  /** Results tested in the last PACE_DAYS days. */
  executed: number
  /** When the first of the runs was created; null without runs. */
  first_run_at: Date | null
}

export function computeReadiness(counts: ReadinessCounts, now: Date): MilestoneReadiness {
  const { executed, first_run_at: firstRunAt, ...shown } = counts
  const pace = computePace(executed, firstRunAt, now)
  return {
    ...shown,
    pace_per_day: Math.round(10 * pace) / 10,
    expected_on: computeExpectedDay(counts.total - counts.tested, pace, now),
  }
}

function computePace(executed: number, firstRunAt: Date | null, now: Date): number {
  if (firstRunAt === null) return 0
  // A milestone that began yesterday would look slow if its work were spread over the whole week.
  const age = Math.ceil((now.getTime() - firstRunAt.getTime()) / DAY)
  return executed / Math.min(PACE_DAYS, Math.max(1, age))
}

function computeExpectedDay(remaining: number, pace: number, now: Date): string | null {
  if (remaining <= 0 || pace === 0) return null
  const days = Math.ceil(remaining / pace)
  return days > MOST_DAYS ? null : new Date(now.getTime() + days * DAY).toISOString().slice(0, 10)
}

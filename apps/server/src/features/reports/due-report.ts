import { addDays, type LocalClock } from '../../platform/http/time-zones.ts'

/** Days from one report to the next. */
export const REPORT_DAYS = { week: 7, day: 1 } as const

/** When a report comes. */
export interface ReportSchedule {
  /** From 1, Monday; null for every day. */
  weekday: number | null
  hour: number
}

/** The day of the week from 1, Monday. */
const getWeekday = (day: string): number => ((new Date(day).getUTCDay() + 6) % 7) + 1

/**
 * Finds the last day on which a report was due until a time: one of its days whose hour has begun. An hour that a clock change
 * skips begins with the next one; one that comes twice makes no second day.
 */
export function findDueDay({ weekday, hour }: ReportSchedule, clock: LocalClock, now: Date): string {
  const today = clock.formatDay(now)
  const day = clock.getHour(now) >= hour ? today : addDays(today, -1)
  return weekday === null ? day : addDays(day, -((getWeekday(day) - weekday + 7) % 7))
}

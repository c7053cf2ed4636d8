import { toLocalDay } from '../../charts/days.ts'

/** Days until a quarantine ends that the dialog proposes. */
export const PROPOSED_DAYS = 30
/** How far ahead its end can be, at any change. The server says the same. */
export const MAX_DAYS_AHEAD = 30
/** How long it can last in all. */
export const MAX_DAYS = 90

/** Some calendar days later, at the same time of day. */
export function addDays(at: Date, days: number): Date {
  const later = new Date(at)
  later.setDate(later.getDate() + days)
  return later
}

/** The first and the last moment at which a quarantine can end. @param createdAt now for a new one */
export function getEndLimits(now: Date, createdAt: Date): { first: Date; last: Date } {
  const last = new Date(Math.min(addDays(now, MAX_DAYS_AHEAD).getTime(), addDays(createdAt, MAX_DAYS).getTime()))
  return { first: addDays(now, 1), last }
}

/**
 * Returns the end of a quarantine on a day: at the present time of day, so that 30 days ahead are not more.
 * @returns null for a day outside of the limits, and for none
 */
export function toEnd(day: string, now: Date, { first, last }: { first: Date; last: Date }): Date | null {
  if (day < toLocalDay(first) || day > toLocalDay(last)) return null
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const end = new Date(now)
  end.setFullYear(year, month - 1, date)
  return new Date(Math.min(end.getTime(), last.getTime()))
}

/** Splits branch patterns as they are typed. */
export const splitBranches = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,\n]/)
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
]

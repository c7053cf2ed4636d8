import { DAY_MS, getFormat, getYear, type TimeFormat, toDayFirst } from './times.ts'

/**
 * Formats a day as the heading of what happened on it: "Today", "Yesterday", "Tue 3 Nov", "Tue 3 Nov 2025".
 * @param at ISO string
 * @param now in milliseconds since 1970
 */
export function formatDay(at: string, now: number, { locale = 'en', timeZone }: TimeFormat = {}): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return ''
  const day = getDayNumber(date, timeZone)
  const today = getDayNumber(new Date(now), timeZone)
  if (day === today) return 'Today'
  if (day === today - 1) return 'Yesterday'
  const hasSameYear = getYear(date, timeZone) === getYear(new Date(now), timeZone)
  const parts = { weekday: 'short', day: 'numeric', month: 'short', timeZone } as const
  const format = getFormat(toDayFirst(locale), hasSameYear ? parts : { ...parts, year: 'numeric' })
  return format.format(date).replace(',', '')
}

/** Numbers the days of a time zone: days with 23 or 25 hours count as one. */
const getDayNumber = (date: Date, timeZone: string | undefined) =>
  Date.parse(getFormat('sv', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone }).format(date)) / DAY_MS

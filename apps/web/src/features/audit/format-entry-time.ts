import type { TimeFormat } from '../../times.ts'

/**
 * Formats when an entry of the audit log was made: "3 Nov 14:05", and "3 Nov 2025 14:05" in another year. Unlike in other
 * lists, it is never an age: entries are compared with times that somebody remembers.
 * @param now in milliseconds since 1970
 */
export function formatEntryTime(at: string, now: number, { timeZone }: Pick<TimeFormat, 'timeZone'> = {}): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return ''
  const format = (options: Intl.DateTimeFormatOptions, time: Date | number = date) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(time)
  const hasSameYear = format({ year: 'numeric' }) === format({ year: 'numeric' }, now)
  const day = format({ day: 'numeric', month: 'short', ...(hasSameYear ? {} : { year: 'numeric' }) })
  return `${day} ${format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })}`
}

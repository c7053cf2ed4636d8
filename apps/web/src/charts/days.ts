/* The calendar days of charts, where the browser is. A day is `2026-11-28`. */

const pad = (value: number) => String(value).padStart(2, '0')

/** Formats the local day of a time. */
export const toLocalDay = (at: Date): string => `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`

/** Returns the local midnight with which a day begins, also in the nights of clock changes. */
export function getMidnight(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date)
}

/** Returns the day after so many days. */
export function shiftDay(day: string, count: number): string {
  const at = getMidnight(day)
  at.setDate(at.getDate() + count)
  return toLocalDay(at)
}

/** Lists days, the first and the last included. */
export function listDays(first: string, last: string): string[] {
  const days: string[] = []
  for (let day = first; day <= last; day = shiftDay(day, 1)) days.push(day)
  return days
}

/** The last days, today included. */
export const listLastDays = (count: number, now: Date): string[] => {
  const today = toLocalDay(now)
  return listDays(shiftDay(today, 1 - count), today)
}

const withoutYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const withYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const withWeekday = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

/** "Sat 28 Nov 2026", for figures. */
export const formatFullDay = (day: string): string => withWeekday.format(getMidnight(day)).replace(',', '')

export interface Tick {
  /** Place among the days. */
  readonly index: number
  readonly label: string
}

/**
 * Chooses the days that an axis names, so that labels have room: "3 Nov", with the year where it changes.
 * @param dayWidth in pixels
 */
export function chooseTicks(days: readonly string[], dayWidth: number, labelWidth = 64): Tick[] {
  const step = Math.max(1, Math.ceil(labelWidth / dayWidth))
  const ticks: Tick[] = []
  let year = days[0]?.slice(0, 4)
  // A label stands at the beginning of its day: the last one needs room, too.
  for (let index = 0; index < days.length && (days.length - index) * dayWidth >= labelWidth; index += step) {
    const day = days[index] ?? ''
    const isNewYear = day.slice(0, 4) !== year
    year = day.slice(0, 4)
    ticks.push({ index, label: (isNewYear ? withYear : withoutYear).format(getMidnight(day)) })
  }
  return ticks
}

/** The time zone of the browser, for the days of the server. */
export const getTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

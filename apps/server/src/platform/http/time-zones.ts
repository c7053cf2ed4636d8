import { invalidFieldProblem } from './problems.ts'

const DAY_MS = 86_400_000

/** Whether a name can be the time zone of a reader. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format() !== ''
  } catch {
    return false
  }
}

/**
 * Returns the time zone if it is one.
 * @throws {Problem} 400 for an unknown one
 */
export function requireTimeZone(name = 'UTC', path = '/time_zone'): string {
  if (!isTimeZone(name)) throw invalidFieldProblem(path, 'must be a time zone such as Europe/Berlin')
  return name
}

/** The clock of a time zone. */
export interface LocalClock {
  /** The day of a time: `2026-11-21`. */
  formatDay: (at: Date) => string
  /** The hour of a time, from 0. */
  getHour: (at: Date) => number
  /** The time at which a day begins: local midnight, or the first time after it if a clock change skips it. */
  findMidnight: (day: string) => Date
}

/** Creates the clock of a time zone that exists. */
export function createLocalClock(timeZone: string): LocalClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  /** What the clock shows, as if it were UTC. */
  const read = (at: number): number => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second)
  }
  const toDay = (at: number): string => new Date(read(at)).toISOString().slice(0, 10)
  return {
    formatDay: (at) => toDay(at.getTime()),
    getHour: (at) => new Date(read(at.getTime())).getUTCHours(),
    findMidnight: (day) => {
      const shown = Date.parse(day)
      // The clock differs from UTC by what it does a day before or after: it is changed at most once in between.
      const times = [shown - DAY_MS, shown + DAY_MS].map((near) => shown - (read(near) - near))
      const ofDay = times.filter((at) => toDay(at) === day)
      return new Date(Math.min(...(ofDay.length > 0 ? ofDay : times)))
    },
  }
}

/** Returns a calendar day, so many days later. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10)

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS

interface TimeSettings {
  locale: string
  timeZone: string
}

/** English words, with the order and the hours of the browser's language if it is English. */
function readSettings(): TimeSettings {
  const { locale, timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return { locale: locale.startsWith('en') ? locale : 'en-GB', timeZone }
}

function createFormats({ locale, timeZone }: TimeSettings) {
  const create = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { ...options, timeZone })
  return {
    weekdayAndTime: create({ weekday: 'short', hour: '2-digit', minute: '2-digit' }),
    dayAndMonth: create({ day: 'numeric', month: 'short' }),
    date: create({ day: 'numeric', month: 'short', year: 'numeric' }),
    exact: create({ dateStyle: 'full', timeStyle: 'long' }),
    year: create({ year: 'numeric' }),
  }
}
const localFormats = createFormats(readSettings())

/**
 * Formats a time in the past for lists: `now`, `8 min`, `3 h`, `Tue 14:05` within a week, then `3 Nov`, `3 Nov 2025`.
 * @param settings by default those of the browser
 */
export function formatTime(at: Date, now: Date, settings?: TimeSettings): string {
  const age = now.getTime() - at.getTime()
  const formats = settings === undefined ? localFormats : createFormats(settings)
  if (Math.abs(age) < MINUTE_MS) return 'now'
  if (age > 0 && age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`
  if (age > 0 && age < 12 * HOUR_MS) return `${Math.floor(age / HOUR_MS)} h`
  if (age > 0 && age < WEEK_MS - DAY_MS) return formats.weekdayAndTime.format(at).replace(',', '')
  return formats.year.format(at) === formats.year.format(now) ? formats.dayAndMonth.format(at) : formats.date.format(at)
}

/** Formats a time with its day, its seconds and its time zone. */
export const formatExactTime = (at: Date): string => localFormats.exact.format(at)

/** How long the text of {@link formatTime} stays right, in milliseconds. */
export function getTimeUntilChange(at: Date, now: Date): number {
  const age = Math.abs(now.getTime() - at.getTime())
  if (age < HOUR_MS) return MINUTE_MS - (age % MINUTE_MS)
  return age < DAY_MS ? HOUR_MS - (age % HOUR_MS) : DAY_MS
}

/** Formats a duration: `8 s`, `1 min 24 s`, `2 h 10 min`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return join(minutes, 'min', whole % 60, 's')
  return join(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
}

const join = (large: number, largeUnit: string, small: number, smallUnit: string) =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`

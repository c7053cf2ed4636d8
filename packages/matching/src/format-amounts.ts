/* How numbers are written for people, in the web app and in shared reports. */

const whole = new Intl.NumberFormat('en')
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat('en', { style: 'percent' })

/** From here on counts are shortened. */
const SHORTENED_FROM = 1_000_000

export const formatWholeNumber = (value: number): string => whole.format(value)

/** Formats a count: `1,432`, and `1.4 M` from a million on. */
export const formatCount = (value: number): string =>
  value < SHORTENED_FROM ? whole.format(value) : compact.format(value).replace(/(?=[A-Z])/, ' ')

/** Formats a count with its noun: `1 test case`, `3 test cases`. */
export const formatNumberOf = (value: number, singular: string, plural = `${singular}s`): string =>
  `${formatCount(value)} ${value === 1 ? singular : plural}`

/** Formats a part of a whole: `71 %`. Only everything is 100 %, and only nothing is 0 %. */
export function formatShare(part: number, total: number): string {
  if (total === 0) return '–'
  const share = part / total
  const rounded = part === 0 || part === total ? share : Math.min(Math.max(share, 0.01), 0.99)
  return percent.format(rounded).replace('%', ' %')
}

const timeUnits = { millisecond: 'ms', second: 's', minute: 'min', hour: 'h' } as const

/** English uses the symbols of the units: "8 min" has no full stop and no plural. */
export const formatNumberUnit = (value: number, unit: keyof typeof timeUnits, locale: string): string =>
  `${getNumberFormat(locale).format(value)} ${timeUnits[unit]}`

/** Formats a duration: "48 s", "8 min", "2 h 10 min". */
export function formatDuration(seconds: number, locale = 'en'): string {
  const rounded = Math.round(seconds)
  if (rounded < 60) return formatNumberUnit(rounded, 'second', locale)
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return formatNumberUnit(minutes, 'minute', locale)
  const hours = formatNumberUnit(Math.floor(minutes / 60), 'hour', locale)
  return minutes % 60 === 0 ? hours : `${hours} ${formatNumberUnit(minutes % 60, 'minute', locale)}`
}

const numberFormats = new Map<string, Intl.NumberFormat>()

/** Creating a format takes about 50 µs, and a list needs one per row. */
function getNumberFormat(locale: string): Intl.NumberFormat {
  const known = numberFormats.get(locale)
  if (known !== undefined) return known
  const format = new Intl.NumberFormat(locale)
  numberFormats.set(locale, format)
  return format
}

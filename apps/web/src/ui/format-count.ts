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

/** Parses `Retry-After` (RFC 9110, section 10.2.3), whole seconds or an HTTP date, into milliseconds from `now`. */
export function parseRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000
  // Date.parse would read "-5" and "1.5" as years.
  const date = /^\s*\w+, /.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

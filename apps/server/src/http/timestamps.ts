const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:[Zz]|[+-](\d{2}):(\d{2})))?$/

/**
 * Reads a time of a request: RFC 3339 with any offset, or a date alone (midnight UTC).
 * @returns null for anything else, also for a day that does not exist
 */
export function parseTimestamp(text: string): Date | null {
  const match = rfc3339.exec(text)
  if (match === null) return null
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  // Date.UTC rolls 31 February over into March; the round trip shows it. Year 0 and below is not PostgreSQL's.
  const date = new Date(Date.UTC(year, month - 1, day))
  if (year < 1 || year < 100 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  const [hour, minute, second, offsetHour, offsetMinute] = match.slice(4).map((part) => Number(part ?? 0))
  if (
    (hour ?? 0) > 23 ||
    (minute ?? 0) > 59 ||
    (second ?? 0) > 59 ||
    (offsetHour ?? 0) > 23 ||
    (offsetMinute ?? 0) > 59
  ) {
    return null
  }
  const parsed = new Date(text.length === 10 ? text : text.replace(' ', 'T').toUpperCase())
  return Number.isNaN(parsed.getTime()) ? null : parsed
}

/** A time in an answer: `2026-11-21T09:30:00.000Z`. */
export const presentTime = (time: Date): string => time.toISOString()

/** A time that may be missing in an answer. */
export const presentNullableTime = (time: Date | null): string | null => (time === null ? null : time.toISOString())

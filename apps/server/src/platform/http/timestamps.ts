const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:[Zz]|[+-](\d{2}):(\d{2})))?$/

/** Years that both JSON's four digits and PostgreSQL can tell; below 100, Date.UTC means the twentieth century. */
const [FIRST_YEAR, LAST_YEAR] = [100, 9999]

/**
 * Reads a time of a request: RFC 3339 with any offset, or a date alone (midnight UTC). A leap second is taken as the
 * second after it.
 * @returns null for anything else, also for a day that does not exist
 */
export function parseTimestamp(text: string): Date | null {
  const match = rfc3339.exec(text)
  if (match === null) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  // Date.UTC rolls 31 February over into March; the round trip shows it.
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return null
  const readable = text.replace(' ', 'T').replace(/:60/, ':59').toUpperCase()
  const parsed = new Date(Date.parse(readable) + (second === 60 ? 1000 : 0))
  const parsedYear = parsed.getUTCFullYear()
  return parsedYear >= FIRST_YEAR && parsedYear <= LAST_YEAR ? parsed : null
}

/** A time in an answer: `2026-11-21T09:30:00.000Z`. */
export const presentTime = (time: Date): string => time.toISOString()

/** A time that may be missing in an answer. */
export const presentNullableTime = (time: Date | null): string | null => (time === null ? null : time.toISOString())

const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:[Zz]|[+-](\d{2}):(\d{2})))?$/

/** Years with four digits that PostgreSQL can store; Date.UTC maps years below 100 to the twentieth century. */
const [FIRST_YEAR, LAST_YEAR] = [100, 9999]

/**
 * Parses a time of a request: RFC 3339 with any offset, or a date (midnight UTC). A leap second becomes the next second.
 * @returns null for anything else, also for a day that does not exist
 */
export function parseTimestamp(text: string): Date | null {
  const match = rfc3339.exec(text)
  if (match === null) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  // Date.UTC turns 31 February into a day of March.
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return null
  const normalized = text.replace(' ', 'T').replace(/:60/, ':59').toUpperCase()
  const parsed = new Date(Date.parse(normalized) + (second === 60 ? 1000 : 0))
  const parsedYear = parsed.getUTCFullYear()
  return parsedYear >= FIRST_YEAR && parsedYear <= LAST_YEAR ? parsed : null
}

/** Formats a time for a response: `2026-11-21T09:30:00.000Z`. */
export const presentTime = (time: Date): string => time.toISOString()

/** Formats a time that may be null for a response. */
export const presentNullableTime = (time: Date | null): string | null => (time === null ? null : time.toISOString())

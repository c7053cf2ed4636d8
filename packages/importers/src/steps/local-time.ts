/**
 * Converts a time of a known zone, such as `2023-08-28 10:00:00`, into one that tells its zone.
 * @returns the text as it is if it is no such time, or the zone is not known
 */
export function toZonedTime(text: string, timeZone: string): string {
  const [, date, clock] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)$/.exec(text.trim()) ?? []
  if (date === undefined || clock === undefined) return text
  const asUtc = Date.parse(`${date}T${clock}Z`)
  if (Number.isNaN(asUtc)) return text
  try {
    return new Date(toUtc(asUtc, timeZone)).toISOString()
  } catch {
    return text
  }
}

/** Making one takes longer than using it a hundred times. A file has one zone. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** How far the clock of a zone is ahead, in milliseconds. */
function getOffset(time: number, timeZone: string): number {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    formats.set(timeZone, format)
  }
  return Date.parse(`${format.format(time).replace(' ', 'T')}Z`) - Math.floor(time / 1000) * 1000
}

/**
 * The time at which the clock of a zone shows what `asUtc` is in UTC; in milliseconds.
 * @throws {RangeError} for an unknown zone
 */
export function toUtc(asUtc: number, timeZone: string): number {
  if (timeZone === 'UTC') return asUtc
  // The offset at a change of the clock is found with a second look, at the time that follows from the first.
  return asUtc - getOffset(asUtc - getOffset(asUtc, timeZone), timeZone)
}

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format() !== ''
  } catch {
    return false
  }
}

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
    // The offset at a change of the clock is found with a second look, at the time that follows from the first.
    const first = asUtc - getOffset(asUtc, timeZone)
    return new Date(asUtc - getOffset(first, timeZone)).toISOString()
  } catch {
    return text
  }
}

/** How far the clock of a zone is ahead, in milliseconds. */
function getOffset(time: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return Date.parse(`${format.format(time).replace(' ', 'T')}Z`) - Math.floor(time / 1000) * 1000
}

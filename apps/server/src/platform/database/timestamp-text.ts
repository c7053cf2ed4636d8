/**
 * Converts a time as PostgreSQL writes it in a UTC session, `2026-11-21 09:30:00.123456+00`, to ISO 8601:
 * `2026-11-21T09:30:00.123Z`. Much faster than parsing it.
 */
export function toIsoTimestamp(text: string): string {
  // Nine in ten times.
  if (text.length === 26 && text[19] === '.') return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`
  const milliseconds = text[19] === '.' ? text.slice(20, -3).slice(0, 3).padEnd(3, '0') : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
}

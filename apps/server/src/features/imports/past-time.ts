import { readTime } from '@caseward/importers/steps/read-time'

/** Reads a time of an export; null for none. One that is later than the import is that of the import, which is counted. */
export function readPastTime(text: string | null | undefined, importedAt: Date, losses: string[]): string | null {
  const time = readTime(text ?? '')
  if (time === null || time <= importedAt) return time?.toISOString() ?? null
  losses.push('time_in_future')
  return importedAt.toISOString()
}

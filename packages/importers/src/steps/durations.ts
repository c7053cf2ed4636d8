import { parseEstimate } from '@caseward/case-files/estimate-text'

const FULL = /^P?T?(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?$/i

/** Reads a duration as tools write it: `1h 30m`, `PT5M`, `00:10` (hours and minutes), or a number of a known unit. */
export function readDuration(text: string, unitSeconds: number | null = null): number | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(trimmed)) {
    return unitSeconds === null ? null : Math.round(Number(trimmed) * unitSeconds) || null
  }
  const clock = /^(\d{1,5}):([0-5]\d)$/.exec(trimmed)
  if (clock !== null) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 || null
  const iso = /^PT/i.test(trimmed) ? FULL.exec(trimmed) : null
  if (iso !== null) return Number(iso[1] ?? 0) * 3600 + Number(iso[2] ?? 0) * 60 + Number(iso[3] ?? 0) || null
  const estimate = parseEstimate(trimmed)
  return typeof estimate === 'number' ? estimate : null
}

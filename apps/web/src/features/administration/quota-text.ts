import type { Quota } from '@caseward/client/endpoints'

/** Returns a quota as the field shows it: empty for no limit. */
export const formatQuota = (quota: number | null): string => (quota === null ? '' : String(quota))

/** Returns the quota that a text means: null for no limit, undefined when it is not a valid one. */
export function parseQuota(text: string, quota: Quota): number | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const maxDigits = quota === 'max_file_bytes_per_project' ? 15 : 9
  return /^[1-9]\d*$/.test(trimmed) && trimmed.length <= maxDigits ? Number(trimmed) : undefined
}

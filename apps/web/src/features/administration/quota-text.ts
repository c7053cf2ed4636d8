/** Returns a quota as the field shows it: empty for no limit. */
export const formatQuota = (quota: number | null): string => (quota === null ? '' : String(quota))

/** Returns the quota that a text means: null for no limit, undefined when it is not a valid one. */
export function parseQuota(text: string): number | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return null
  return /^[1-9]\d{0,8}$/.test(trimmed) ? Number(trimmed) : undefined
}

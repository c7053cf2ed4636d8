import pg from 'pg'

/** The error code of `raise_quota_reached`, the SQL function. */
const QUOTA_REACHED = 'CWQ01'

/** A quota of the instance that a statement would have exceeded. */
export interface ReachedQuota {
  name: string
  value: number
}

/** Returns the quota that an error of a statement names; null for any other error. */
export function getReachedQuota(error: unknown): ReachedQuota | null {
  if (!(error instanceof pg.DatabaseError) || error.code !== QUOTA_REACHED) return null
  return { name: error.detail ?? '', value: Number(error.hint) }
}

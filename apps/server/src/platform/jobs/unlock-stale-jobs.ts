import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'

import type { Database } from '../database/connect.ts'

/** Longer than any job takes: sending a mail times out after one minute. */
const STALE_AFTER = '5 minutes'

/**
 * Unlocks jobs whose server died while it ran them, so that another server runs them. graphile-worker itself waits four
 * hours.
 */
export async function unlockStaleJobs({ db, log }: { db: Database; log: FastifyBaseLogger }): Promise<void> {
  try {
    await sql`
      select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
      from graphile_worker.jobs where locked_at < now() - ${STALE_AFTER}::interval
      having count(*) > 0`.execute(db)
  } catch (error) {
    log.warn({ err: error }, 'could not unlock stale jobs')
  }
}

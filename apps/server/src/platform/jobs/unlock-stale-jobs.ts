import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'

import type { Database } from '../database/connect.ts'

/** Longer than any job takes: handing a mail over is given up after one minute. */
const LOST_AFTER = '5 minutes'

/**
 * Lets go of jobs whose server died in the middle of them, so that another takes them up. Left to itself the queue
 * waits four hours.
 */
export async function unlockStaleJobs({ db, log }: { db: Database; log: FastifyBaseLogger }): Promise<void> {
  try {
    await sql`
      select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
      from graphile_worker.jobs where locked_at < now() - ${LOST_AFTER}::interval
      having count(*) > 0`.execute(db)
  } catch (error) {
    log.warn({ err: error }, 'could not look for jobs of servers that died')
  }
}

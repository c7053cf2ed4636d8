import type { ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts'
import { deleteOldestEntries } from './audit.queries.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const ENTRIES_PER_STATEMENT = 1000
/** Limits the time of one run to seconds. The next run, an hour later, continues. */
const MAX_STATEMENTS = 100

/** Creates the job that deletes the entries of the audit log that are older than `AUDIT_RETENTION_DAYS`. */
export const createAuditRetentionJob = ({ auditRetentionDays }: { auditRetentionDays: number }): ScheduledJob => ({
  name: 'delete_expired_audit_entries',
  schedule: '23 * * * *',
  async run(db, signal) {
    const before = new Date(Date.now() - auditRetentionDays * DAY_MS)
    let deletedCount = ENTRIES_PER_STATEMENT
    for (let count = 0; count < MAX_STATEMENTS && deletedCount === ENTRIES_PER_STATEMENT; count += 1) {
      signal.throwIfAborted()
      deletedCount = await deleteOldestEntries(db, before, ENTRIES_PER_STATEMENT)
    }
  },
})

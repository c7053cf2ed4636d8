import type { ScheduledJob } from '../platform/jobs/scheduled-jobs.ts'
import { deleteExpiredKeys } from './idempotency-keys.queries.ts'

const KEYS_PER_STATEMENT = 1000
/** Limits the time of one run. The next one, an hour later, continues. */
const MAX_STATEMENTS = 200

/** The job that deletes idempotency keys after a day. An expired key that is not deleted yet is replaced when it is used. */
export const expiredKeysJob: ScheduledJob = {
  name: 'delete_expired_idempotency_keys',
  schedule: '41 * * * *',
  async run(db, signal) {
    let deletedCount = KEYS_PER_STATEMENT
    for (let count = 0; count < MAX_STATEMENTS && deletedCount === KEYS_PER_STATEMENT; count += 1) {
      signal.throwIfAborted()
      deletedCount = await deleteExpiredKeys(db, KEYS_PER_STATEMENT)
    }
  },
}

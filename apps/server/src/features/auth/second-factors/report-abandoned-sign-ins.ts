import type { ScheduledJob } from '../../../platform/jobs/scheduled-jobs.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { toUserActor } from '../../audit/record-audit.ts'
import { enqueueSecurityNotice } from '../security-mail/enqueue-security-notice.ts'
import { selectUsersWithNotice } from '../security-mail/security-notices.queries.ts'
import { lockUsers } from '../users/users.queries.ts'
import { deleteAbandonedSignIns, selectUsersWithAbandonedSignIn } from './pending-sign-ins.queries.ts'

const USERS_PER_TRANSACTION = 100
/** Limits the time of one run. The next one continues. */
const MAX_TRANSACTIONS = 50
/** Between two emails to a user about the same. */
const QUIET_HOURS = 24
/** What is older is no news: the service did not run, or an earlier version left it. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000
const KIND = 'second_factor_missing'

/**
 * The job that tells users that somebody passed the first step of a sign-in, but not the second factor: then somebody else may
 * know the password. At most one email a day for each user, however many there are.
 */
export const abandonedSignInsJob: ScheduledJob = {
  name: 'report_abandoned_sign_ins',
  schedule: '* * * * *',
  async run(db, signal) {
    let count = USERS_PER_TRANSACTION
    for (let number = 0; number < MAX_TRANSACTIONS && count === USERS_PER_TRANSACTION; number += 1) {
      signal.throwIfAborted()
      count = await reportAbandonedSignIns(db)
    }
  },
}

/** Reports those of some users, and returns of how many. */
async function reportAbandonedSignIns(db: Database): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    const userIds = await selectUsersWithAbandonedSignIn(tx, USERS_PER_TRANSACTION)
    // Users before their sign-ins, as every other change of an account.
    await lockUsers(tx, userIds)
    const signIns = await deleteAbandonedSignIns(tx, userIds)
    const notified = new Set(await selectUsersWithNotice(tx, { kind: KIND, userIds, hours: QUIET_HOURS }))
    for (const { user_id: userId, address, user_agent: userAgent, expires_at: expiresAt } of signIns) {
      const isNews = Date.now() - expiresAt.getTime() < MAX_AGE_MS
      if (!isNews || notified.has(userId)) continue
      const actor = toUserActor(userId, { ip: address ?? '', headers: { 'user-agent': userAgent } })
      await enqueueSecurityNotice(tx, { ...actor, address }, { kind: KIND, userId })
    }
    return userIds.length
  })
}

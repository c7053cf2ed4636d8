import type { Database } from '../../../platform/database/connect.ts'
import { type AuditActor, recordAudit } from '../../audit/record-audit.ts'
import { enqueueSecurityNotice } from '../security-mail/enqueue-security-notice.ts'
import { endTraces } from '../recovery/end-traces.ts'
import { selectSecondFactors } from './second-factors.queries.ts'

/**
 * Removes the second factors and recovery codes of a user who has lost them, and tells the user by email. Sessions end, because
 * another person may have started them with a factor of their own.
 * @param tx transaction that has locked the user
 * @returns how many factors were in use
 */
export async function removeAllSecondFactors(
  tx: Database,
  actor: AuditActor,
  userId: string,
  detail: Record<string, unknown> = {},
): Promise<number> {
  const count = (await selectSecondFactors(tx, userId)).length
  await endTraces(tx, 'remove_factors', { userId })
  await recordAudit(tx, actor, {
    action: 'user.reset_second_factors',
    subject: { kind: 'user', id: userId },
    detail: { ...detail, count },
  })
  if (count > 0) await enqueueSecurityNotice(tx, actor, { kind: 'factors_reset', userId })
  return count
}

import { type Database, getPool } from '../../../platform/database/connect.ts'
import { hasRequestTransaction, runAfterEnd } from '../../../platform/database/request-transaction.ts'
import { type AuditActor, recordAudit } from '../../audit/record-audit.ts'

/**
 * Records that the counter of a passkey went back: there are two copies of its private key. The request fails.
 * @param tx transaction that the caller commits
 */
export async function recordCopiedPasskey(
  tx: Database,
  db: Database,
  actor: AuditActor,
  { userId, name }: { userId: string; name: string },
): Promise<void> {
  const record = (target: Database) =>
    recordAudit(target, actor, {
      action: 'second_factor.reject',
      subject: { kind: 'user', id: userId },
      detail: { method: 'passkey', name, reason: 'sign_count_decreased' },
    })
  // What the caller commits is part of the transaction of the request, if it has one.
  if (hasRequestTransaction(getPool(db))) await runAfterEnd(() => record(db))
  else await record(tx)
}

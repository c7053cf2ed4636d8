import { type Database, getPool } from '../../../platform/database/connect.ts'
import { hasRequestTransaction, runAfterEnd } from '../../../platform/database/request-transaction.ts'
import { type AuditActor, recordAudit } from '../../audit/record-audit.ts'
import { enqueueSecurityNotice } from '../security-mail/enqueue-security-notice.ts'
import type { SecondFactorProof } from './use-second-factor.ts'

/** Records that a wrong second factor was given by someone who knew the password or had the session. The request fails. */
export async function recordWrongProof(
  db: Database,
  actor: AuditActor,
  userId: string,
  { method }: SecondFactorProof,
): Promise<void> {
  await runAfterEnd(() =>
    recordAudit(db, actor, {
      action: 'second_factor.reject',
      subject: { kind: 'user', id: userId },
      detail: { method },
    }),
  )
}

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

/** Records the use of a recovery code, which is gone now. Other proofs are part of the entry about the sign-in. */
export async function recordUsedProof(
  tx: Database,
  actor: AuditActor,
  userId: string,
  { method }: SecondFactorProof,
): Promise<void> {
  if (method !== 'recovery_code') return
  await recordAudit(tx, actor, { action: 'recovery_code.use', subject: { kind: 'user', id: userId } })
  await enqueueSecurityNotice(tx, actor, { kind: 'recovery_code_use', userId })
}

import type { Database } from '../../../platform/database/connect.ts'
import { runAfterEnd } from '../../../platform/database/request-transaction.ts'
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

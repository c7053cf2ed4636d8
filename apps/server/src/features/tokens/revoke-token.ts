import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { endTraces } from '../auth/recovery/end-traces.ts'
import { lockUser } from '../auth/users/users.queries.ts'
import { deleteToken, type TokenOwner } from './tokens.queries.ts'

/**
 * Revokes a token and all tokens that were created with it.
 * @throws {Problem} 404 when the owner has no such token
 */
export async function revokeToken(db: Database, actor: AuditActor, owner: TokenOwner, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Tokens of a user delete each other: one revocation at a time prevents deadlocks.
    if (owner.kind === 'personal') await lockUser(tx, owner.userId)
    const token = isUuid(id) ? await deleteToken(tx, owner, id) : undefined
    if (token === undefined) throw notFoundProblem('token')
    await recordAudit(tx, actor, {
      action: 'token.revoke',
      subject: { kind: 'token', id, name: token.name },
      ...(owner.kind === 'ci' ? { projectId: owner.projectId } : {}),
      detail: { kind: owner.kind, access: token.access },
    })
  })
}

/**
 * Revokes all personal tokens of a user, all tokens that were created with them, and pending invitations, which they may have
 * sent. CI tokens that the user created are marked for review.
 */
export async function revokePersonalTokens(db: Database, actor: AuditActor, userId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    // Recorded first: the caller's own token may be one of them.
    await recordAudit(tx, actor, { action: 'user.revoke_tokens', subject: { kind: 'user', id: userId } })
    await endTraces(tx, 'revoke_tokens', { userId })
  })
}

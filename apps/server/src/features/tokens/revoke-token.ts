import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { deleteToken, type TokenOwner } from './tokens.queries.ts'

/**
 * Revokes a token.
 * @throws {Problem} 404 when the owner has no token with this id
 */
export async function revokeToken(db: Database, actor: AuditActor, owner: TokenOwner, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
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

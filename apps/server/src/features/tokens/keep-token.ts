import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { notFoundProblem, unprocessableProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { clearTokenReview } from './tokens.queries.ts'

/**
 * Records that an admin keeps a CI token which needed review because its creator had secured the account.
 * @throws {Problem} 404 when the project has no such token; 422 `creator_left` when it needs review for the other reason
 */
export async function keepCiToken(db: Database, actor: AuditActor, projectId: string, id: string) {
  return await db.transaction().execute(async (tx) => {
    const token = isUuid(id) ? await clearTokenReview(tx, projectId, id) : undefined
    if (token === undefined) throw notFoundProblem('token')
    if (token.review_reason === 'creator_left') throw creatorLeftProblem()
    const subject = { kind: 'token', id, name: token.name } as const
    await recordAudit(tx, actor, { action: 'token.keep', subject, projectId, detail: { kind: 'ci' } })
    return token
  })
}

const creatorLeftProblem = () =>
  unprocessableProblem(
    'creator_left',
    'The user who created this token is no longer an admin of the project and may still know it. Create a new token, and revoke this one.',
  )

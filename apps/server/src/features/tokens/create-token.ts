import type { CreateCiTokenBody, CreateTokenBody } from '@caseward/contract/tokens'

import type { TokenGrant, UserPrincipal } from '../../access/principal.ts'
import { type Database, violatesConstraint } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { parseTimestamp } from '../../platform/http/timestamps.ts'
import { invalidFieldProblem, unprocessableProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { enqueueSecurityNotice } from '../auth/security-mail/enqueue-security-notice.ts'
import { callerEndedProblem, requireActiveCaller } from '../auth/session/require-active-caller.ts'
import { lockUser } from '../auth/users/users.queries.ts'
import { lockMembers } from '../members/members.queries.ts'
import { requireRole } from '../members/require-role.ts'
import { countValidTokens, deleteExpiredTokens, insertToken, type TokenOwner } from './tokens.queries.ts'

/** How many valid tokens a user or a project can have; as many expired tokens are kept for the lists. */
const MAX_TOKENS = 100

/** What the creator of a token chooses. */
export interface TokenInput {
  name: string
  access: 'read' | 'write'
  expiresAt: Date | null
  /** Only of CI tokens. */
  grants: readonly TokenGrant[]
}

/** @throws {Problem} 400 when the expiry time has passed */
export function parseTokenInput({ name, access = 'write', expires_at: expiry }: CreateTokenBody): TokenInput {
  const expiresAt = typeof expiry === 'string' ? parseTimestamp(expiry) : null
  if (expiresAt !== null && expiresAt <= new Date()) throw invalidFieldProblem('/expires_at', 'must be in the future')
  return { name, access, expiresAt, grants: [] }
}

/** @throws {Problem} 400 when the expiry time has passed, or for grants without write access */
export function parseCiTokenInput({ grants = [], ...body }: CreateCiTokenBody): TokenInput {
  const input = parseTokenInput(body)
  if (grants.length > 0 && input.access === 'read') {
    throw invalidFieldProblem('/grants', 'require write access: set `access` to `write`')
  }
  return { ...input, grants: [...new Set(grants)] }
}

/** @throws {Problem} 401 when the session or token of the creator has ended meanwhile; 422 `token_limit` */
export async function createPersonalToken(db: Database, actor: AuditActor, creator: UserPrincipal, input: TokenInput) {
  const { userId } = creator
  return await transactionWithRowMutex(db, userId, async (tx) => {
    await lockUser(tx, userId)
    const token = await addToken(tx, actor, { kind: 'personal', userId }, creator, input)
    await enqueueSecurityNotice(tx, actor, { kind: 'personal_token', userId, detail: { name: token.name } })
    return token
  })
}

/**
 * @throws {Problem} 404 when the project is gone; 403 when the creator is not an admin anymore; 401 when their session or
 *   token has ended meanwhile; 422 `token_limit`
 */
export async function createCiToken(
  db: Database,
  actor: AuditActor,
  projectId: string,
  creator: UserPrincipal,
  input: TokenInput,
) {
  return await transactionWithRowMutex(db, projectId, async (tx) => {
    const project = await lockMembers(tx, projectId)
    const { userId } = creator
    await requireRole(tx, { projectId, userId }, 'project:settings')
    const token = await addToken(tx, actor, { kind: 'ci', projectId }, creator, input)
    const detail = { name: token.name, project: project.name }
    await enqueueSecurityNotice(tx, actor, { kind: 'ci_token', userId, detail })
    return token
  })
}

/** Requires a lock on the owner, so that concurrent requests cannot exceed the limit. */
async function addToken(tx: Database, actor: AuditActor, owner: TokenOwner, creator: UserPrincipal, input: TokenInput) {
  await requireActiveCaller(tx, creator)
  await deleteExpiredTokens(tx, owner, MAX_TOKENS)
  if ((await countValidTokens(tx, owner)) >= MAX_TOKENS) throw tokenLimitProblem(owner)
  const createdWith = creator.kind === 'personal' ? creator.key : null
  const newToken = { ...input, createdBy: creator.userId, createdWith }
  const token = await insertToken(tx, owner, newToken).catch((error: unknown) => {
    throw violatesConstraint(error, 'api_tokens_created_with_fkey') ? callerEndedProblem() : error
  })
  await recordAudit(tx, actor, {
    action: 'token.create',
    subject: { kind: 'token', id: token.id, name: token.name },
    ...(owner.kind === 'ci' ? { projectId: owner.projectId } : {}),
    detail: {
      kind: owner.kind,
      access: token.access,
      expires_at: token.expires_at,
      ...(token.grants.length > 0 ? { grants: token.grants } : {}),
    },
  })
  return token
}

const tokenLimitProblem = ({ kind }: TokenOwner) =>
  unprocessableProblem(
    'token_limit',
    `${kind === 'personal' ? 'You have' : 'The project has'} ${MAX_TOKENS} valid tokens, which is the limit. Revoke one that is no longer needed first.`,
  )

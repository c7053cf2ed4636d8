import {
  type CreateShareBody,
  DEFAULT_SHARE_DAYS,
  MAX_SHARE_DAYS,
  MAX_SHARES,
  type NewShare,
  SHARE_PARTS,
} from '@caseward/contract/shares'
import { v7 as uuidv7 } from 'uuid'

import type { ProjectPermission } from '../../access/permissions.ts'
import type { Role, UserPrincipal } from '../../access/principal.ts'
import { generateTokenSecret, hashSecret } from '../../access/secret.ts'
import type { Deps } from '../../deps.ts'
import { violatesConstraint } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import {
  forbiddenProblem,
  invalidFieldProblem,
  notFoundProblem,
  unprocessableProblem,
} from '../../platform/http/problems.ts'
import { parseTimestamp } from '../../platform/http/timestamps.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { requireActiveCaller } from '../auth/session/require-active-caller.ts'
import { lockActiveMember, lockMembers } from '../members/members.queries.ts'
import { requireRole } from '../members/require-role.ts'
import * as shares from './shares.queries.ts'

const DAY_MS = 86_400_000
/** A client counts the days from its own time. */
const TOLERANCE_MS = 60 * 60 * 1000

type ShareDeps = Pick<Deps, 'db' | 'allowsShares' | 'getPublicUrl'>

/** The permission that sharing a subject requires. */
const permissions: Readonly<Record<shares.ShareSubject['kind'], ProjectPermission>> = {
  run: 'runs:execute',
  milestone: 'milestones:manage',
}

/**
 * Creates a shared report and its address, which is returned only here.
 * @throws {Problem} 400 for the time of expiry; 403 `shares_disabled`; 404 when the subject is gone; 422 `too_many_shares`
 */
export async function createShare(
  { db, allowsShares, getPublicUrl }: ShareDeps,
  actor: AuditActor,
  creator: UserPrincipal,
  { projectId, subject, body }: { projectId: string; subject: shares.ShareSubject; body: CreateShareBody },
): Promise<NewShare> {
  const expiresAt = parseExpiry(body.expires_at, new Date())
  const include = SHARE_PARTS.filter((part) => body.include.includes(part))
  const secret = generateTokenSecret('share')
  return await transactionWithRowMutex(db, projectId, async (tx) => {
    await lockMembers(tx, projectId)
    const { userId } = creator
    await requireRole(tx, { projectId, userId }, permissions[subject.kind])
    await requireActiveCaller(tx, creator)
    const member = await lockActiveMember(tx, { projectId, userId })
    const refusal = findRefusal(allowsShares, await shares.selectShareSetting(tx, projectId), member?.role)
    if (refusal !== null) throw forbiddenProblem(refusal, 'shares_disabled')
    if ((await shares.countOpenShares(tx, projectId)) >= MAX_SHARES) throw tooManySharesProblem()
    const row = await shares
      .insertShare(tx, {
        id: uuidv7(),
        projectId,
        subject,
        name: body.name,
        secretDigest: hashSecret(secret),
        include,
        createdBy: userId,
        expiresAt,
      })
      .catch((error: unknown) => {
        const isGone =
          violatesConstraint(error, 'shares_run_id_fkey') ||
          violatesConstraint(error, 'shares_project_id_milestone_id_fkey')
        throw isGone ? notFoundProblem(subject.kind) : error
      })
    await recordAudit(tx, actor, {
      action: 'share.create',
      subject: { kind: 'share', id: row.id, name: row.name },
      projectId,
      detail: { [`${subject.kind}_id`]: subject.id, include, expires_at: row.expires_at },
    })
    return { ...shares.presentShare(row), url: `${getPublicUrl()}/shared/${secret}` }
  })
}

/** Returns why a member may not share reports, or null. */
export function findRefusal(
  allowsShares: boolean,
  setting: shares.ShareSetting | undefined,
  role: Role | undefined,
): string | null {
  if (!allowsShares) return 'Shared reports are turned off on this server (ALLOW_SHARES). Ask its operator.'
  if (setting === 'off')
    return 'Shared reports are turned off in this project. An admin can allow them in its settings.'
  if (setting === 'admins' && role !== 'admin') {
    return 'Only admins may share reports of this project. Ask one of them.'
  }
  return role === 'admin' || role === 'member' ? null : 'Your role in this project does not permit sharing reports.'
}

function parseExpiry(text: string | undefined, now: Date): Date {
  if (text === undefined) return new Date(now.getTime() + DEFAULT_SHARE_DAYS * DAY_MS)
  const expiresAt = parseTimestamp(text)
  if (expiresAt === null || expiresAt <= now) throw invalidFieldProblem('/expires_at', 'must be in the future')
  if (expiresAt.getTime() > now.getTime() + MAX_SHARE_DAYS * DAY_MS + TOLERANCE_MS) {
    throw invalidFieldProblem('/expires_at', `must be at most ${MAX_SHARE_DAYS} days from now`)
  }
  return expiresAt
}

const tooManySharesProblem = () =>
  unprocessableProblem(
    'too_many_shares',
    `The project has ${MAX_SHARES} shared reports that can be opened, which is the limit. Revoke one that is no longer needed first.`,
  )

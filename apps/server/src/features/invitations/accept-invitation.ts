import type { FastifyRequest } from 'fastify'

import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import {
  conflictProblem,
  forbiddenProblem,
  goneProblem,
  notFoundProblem,
  unauthenticatedProblem,
} from '../../platform/http/problems.ts'
import { getActor, recordAudit, toUserActor } from '../audit/record-audit.ts'
import { insertMember, lockMembers, type MemberRow, selectMember } from '../members/members.queries.ts'
import { hashPassword } from '../auth/password.ts'
import { requireStrongPassword } from '../auth/password-strength.ts'
import { confirmEmail, findUser, findUserByEmail, insertUser, type NewUser } from '../auth/users/users.queries.ts'
import { findLink, type InvitationLink } from './invitation-links.queries.ts'
import { updateInvitationStatus } from './invitations.queries.ts'

/** The user who accepts an invitation: signed in, or without an account yet. */
export type Invitee = { userId: string } | { name: string; password: string }

/** A user who has joined a project. */
export interface JoinedMember {
  project: { id: string; name: string }
  member: MemberRow
}

/**
 * Returns an invitation link that is valid.
 * @throws {Problem} 404 for an unknown link; 410 for one that is no longer valid
 */
export async function requireValidLink(db: Database, secret: string): Promise<InvitationLink> {
  const link = await findLink(db, secret)
  if (link === undefined) throw notFoundProblem('invitation')
  if (link.status === 'accepted') throw goneProblem('invitation_used', 'This invitation has already been accepted.')
  if (link.status === 'revoked') {
    throw goneProblem('invitation_revoked', 'This invitation was revoked. Ask for a new one.')
  }
  if (link.status === 'expired' || link.is_expired) {
    throw goneProblem('invitation_expired', 'This invitation has expired. Ask for a new one.')
  }
  if (link.replaced_at !== null) {
    throw goneProblem(
      'invitation_replaced',
      'This link was replaced by a newer one, sent to the same address. Use the newest link.',
    )
  }
  return link
}

/**
 * Adds the invitee to the project with the role of the invitation. Creates an account if they are not signed in.
 * @throws {Problem} 404 and 410 as for {@link requireValidLink}; 400 `weak_password`; 403 `other_email`; 409
 *   `account_exists`
 */
export async function acceptInvitation(
  db: Database,
  request: FastifyRequest,
  secret: string,
  invitee: Invitee,
): Promise<JoinedMember> {
  const { project_id: projectId, email } = await requireValidLink(db, secret)
  if ('password' in invitee) await requireStrongPassword(invitee.password, { email, name: invitee.name })
  // Hashing is slow, so it happens before the transaction takes a lock.
  const passwordHash =
    'password' in invitee ? await hashPassword(invitee.password, { key: email, isKnown: true }) : null
  return await transactionWithRowMutex(db, projectId, async (tx) => {
    const project = await lockMembers(tx, projectId)
    // Checked again under the lock: the link may have been used or revoked meanwhile.
    const link = await requireValidLink(tx, secret)
    const userId =
      'userId' in invitee
        ? await requireEmail(tx, invitee.userId, link.email)
        : await createUser(tx, request, {
            email: link.email,
            isEmailConfirmed: link.is_mailed,
            name: invitee.name,
            passwordHash,
          })
    if (link.is_mailed) await confirmEmail(tx, userId)
    await insertMember(tx, { projectId, userId, role: link.role })
    await updateInvitationStatus(tx, link.id, 'accepted')
    const actor = request.principal === null ? toUserActor(userId, request) : getActor(request)
    const subject = { kind: 'invitation', id: link.id, name: link.email } as const
    await recordAudit(tx, actor, { action: 'invitation.accept', subject, projectId, detail: { role: link.role } })
    const member = await selectMember(tx, projectId, userId)
    if (member === undefined) throw unauthenticatedProblem('Your account was just disabled or deleted.')
    return { project: { id: projectId, name: project.name }, member }
  })
}

/** Returns the user's id when the email address is theirs. */
async function requireEmail(tx: Database, userId: string, email: string): Promise<string> {
  const invitedUser = await findUserByEmail(tx, email)
  if (invitedUser?.id === userId) return userId
  const user = await findUser(tx, userId)
  throw forbiddenProblem(
    `This invitation is for ${email}, and you are signed in as ${user?.email ?? 'another user'}. Sign in as ${email}.`,
    'other_email',
  )
}

/** Returns the id of the new user. */
async function createUser(tx: Database, request: FastifyRequest, fields: NewUser): Promise<string> {
  const user = await insertUser(tx, fields)
  if (user === undefined) {
    throw conflictProblem(
      'account_exists',
      `${fields.email} already has an account. Sign in, then accept the invitation.`,
    )
  }
  const subject = { kind: 'user', id: user.id } as const
  await recordAudit(tx, toUserActor(user.id, request), { action: 'user.create', subject, detail: { by: 'invitation' } })
  return user.id
}

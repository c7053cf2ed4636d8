import type { Database } from '../../platform/database/connect.ts'
import { conflictProblem, forbiddenProblem, goneProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { insertMember, lockMembers, type MemberRow, selectMember } from '../members/members.queries.ts'
import { hashPassword } from '../auth/password.ts'
import { findUser, findUserByEmail, insertUser } from '../auth/users/users.queries.ts'
import { findLink, type InvitationLink } from './invitation-links.queries.ts'
import { closeInvitation } from './invitations.queries.ts'

/** Who accepts: the user who is signed in, or somebody who has no account yet. */
export type Invitee = { userId: string } | { name: string; password: string }

/** A user who has joined a project. */
export interface JoinedMember {
  project: { id: string; name: string }
  member: MemberRow
}

/**
 * What a link opens.
 * @throws {Problem} 404 for a link that never was, 410 for one that is of no use any more
 */
export async function requireValidLink(db: Database, secret: string): Promise<InvitationLink> {
  const link = await findLink(db, secret)
  if (link === undefined) throw notFoundProblem('invitation')
  if (link.status === 'accepted') throw goneProblem('invitation_used', 'This invitation has been accepted already.')
  if (link.status === 'revoked')
    throw goneProblem('invitation_revoked', 'This invitation was revoked. Ask for a new one.')
  if (link.status === 'expired' || link.has_lapsed) {
    throw goneProblem('invitation_expired', 'This invitation has expired. Ask for a new one.')
  }
  if (link.replaced_at !== null) {
    throw goneProblem('invitation_replaced', 'A newer link was sent to the same address. Use that one.')
  }
  return link
}

/**
 * Joins whoever accepts, with the invitation's role.
 * @throws {Problem} 404 and 410 as for {@link requireValidLink}, 403 `other_email`, 409 `account_exists`
 */
export async function acceptInvitation(db: Database, secret: string, accepting: Invitee): Promise<JoinedMember> {
  const { project_id: projectId } = await requireValidLink(db, secret)
  const newcomer =
    'userId' in accepting ? null : { name: accepting.name, passwordHash: await hashPassword(accepting.password) }
  return await db.transaction().execute(async (tx) => {
    // What was read before the lock may have changed since: somebody else may have used the link.
    const project = await lockMembers(tx, projectId)
    const link = await requireValidLink(tx, secret)
    const userId =
      'userId' in accepting
        ? await requireEmail(tx, accepting.userId, link.email)
        : await makeUser(tx, { email: link.email, name: accepting.name, passwordHash: newcomer?.passwordHash ?? null })
    await insertMember(tx, { projectId, userId, role: link.role })
    await closeInvitation(tx, link.id, 'accepted')
    const member = await selectMember(tx, projectId, userId)
    if (member === undefined) throw new Error('A user who has just joined is no member')
    return { project: { id: projectId, name: project.name }, member }
  })
}

async function requireEmail(tx: Database, userId: string, email: string): Promise<string> {
  const invited = await findUserByEmail(tx, email)
  if (invited?.id === userId) return userId
  const user = await findUser(tx, userId)
  throw forbiddenProblem(
    `This invitation is for ${email}, and you are signed in as ${user?.email ?? 'somebody else'}. Sign in as ${email}.`,
    'other_email',
  )
}

async function makeUser(tx: Database, user: Parameters<typeof insertUser>[1]): Promise<string> {
  const made = await insertUser(tx, user)
  if (made !== undefined) return made.id
  throw conflictProblem('account_exists', `${user.email} has an account. Sign in with it, then accept the invitation.`)
}

import type { Database } from '../../../platform/database/connect.ts'
import { notFoundProblem, Problem, unprocessableProblem } from '../../../platform/http/problems.ts'
import { lockActiveAdmins, lockRights } from '../../admin/instance-users.queries.ts'
import { type AuditActor, recordAudit, recordAudits } from '../../audit/record-audit.ts'
import { describeRevokedInvitations } from '../../invitations/describe-revoked-invitations.ts'
import { revokePendingInvitations } from '../../invitations/invitations.queries.ts'
import { deletePersonalTokens } from '../../tokens/tokens.queries.ts'
import { enqueueSecurityNotice } from '../security-mail/enqueue-security-notice.ts'
import { deleteUserSessions } from '../session/session.queries.ts'
import { findUser } from '../users/users.queries.ts'
import {
  anonymizeAuditLog,
  anonymizeInvitations,
  anonymizeUser,
  deleteMemberships,
  deleteRowsOfUser,
  lockProjectsOfMember,
  selectProjectsOfLastAdmin,
} from './delete-account.queries.ts'

/** The projects that a problem names. */
const MAX_NAMED_PROJECTS = 20

/**
 * Deletes an account. Everything that lets the user sign in or identifies them goes; what they did stays, with an anonymous
 * author: the row of the user remains as "Deleted user", and its id is the only thing that connects its traces. The email
 * address can be used again.
 * @param requireRight checks, under the locks, whether the caller may delete this account
 * @throws {Problem} 404 for an unknown user; 422 `last_admin` with the projects that would lose their last admin; 422
 *   `last_instance_admin`
 */
export async function deleteAccount(
  db: Database,
  actor: AuditActor,
  userId: string,
  requireRight: (activeAdmins: readonly string[]) => void = () => {},
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Projects before users, as everywhere: another admin may be leaving at the same time.
    await lockProjectsOfMember(tx, userId)
    const activeAdmins = await lockActiveAdmins(tx)
    requireRight(activeAdmins)
    const rights = await lockRights(tx, userId)
    const user = rights === undefined ? undefined : await findUser(tx, userId)
    if (user === undefined) throw notFoundProblem('user')
    // The user may have joined another project before the lock on the user.
    await lockProjectsOfMember(tx, userId)
    if (activeAdmins.length === 1 && activeAdmins[0] === userId) throw lastInstanceAdminProblem()
    const projects = await selectProjectsOfLastAdmin(tx, userId)
    if (projects.length > 0) throw lastAdminProblem(projects, actor.userId === userId)

    await enqueueSecurityNotice(tx, actor, { kind: 'account_delete', userId, email: user.email })
    const revoked = await revokePendingInvitations(tx, { userId })
    const memberships = await deleteMemberships(tx, userId)
    const subject = { kind: 'user', id: userId } as const
    await recordAudits(
      tx,
      actor,
      memberships.map(({ project_id: projectId, role }) => ({
        action: 'member.remove',
        subject,
        projectId,
        detail: { role, by: 'account deletion' },
      })),
    )
    await recordAudit(tx, actor, { action: 'user.delete', subject, detail: describeRevokedInvitations(revoked) })
    await deleteUserSessions(tx, userId, null)
    // After the sessions, so that none of them creates another token.
    await deletePersonalTokens(tx, userId)
    await deleteRowsOfUser(tx, userId)
    await anonymizeInvitations(tx, user)
    await anonymizeUser(tx, userId)
    await anonymizeAuditLog(tx, user)
  })
}

type LastAdminProject = Awaited<ReturnType<typeof selectProjectsOfLastAdmin>>[number]

function lastAdminProblem(projects: readonly LastAdminProject[], isOwn: boolean): Problem {
  const named = projects.slice(0, MAX_NAMED_PROJECTS).map(({ id, name }) => ({ id, name }))
  const names = new Intl.ListFormat('en').format([
    ...named.slice(0, 3).map(({ name }) => `“${name}”`),
    ...(projects.length > 3 ? [`${projects.length - 3} more`] : []),
  ])
  const who = isOwn ? 'You are the last admin of' : 'The user is the last admin of'
  const detail = `${who} ${names}. Make another member an admin, or delete the project, first.`
  return new Problem(422, 'last_admin', detail, { extensions: { projects: named } })
}

const lastInstanceAdminProblem = () =>
  unprocessableProblem(
    'last_instance_admin',
    'This is the last active instance administrator. Make another user an instance administrator first.',
  )

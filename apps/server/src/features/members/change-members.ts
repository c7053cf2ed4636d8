import type { Member } from '@caseward/contract/members'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { notFoundProblem, unprocessableProblem } from '../../platform/http/problems.ts'
import { lockMembers, type MemberRow, adjustMemberCount, selectMember } from './members.queries.ts'

interface MemberId {
  projectId: string
  userId: string
}

/**
 * Gives a member another role.
 * @throws {Problem} 404 for no such member, 422 `last_admin`
 */
export async function changeRole(db: Database, id: MemberId, role: Member['role']): Promise<MemberRow> {
  return await db.transaction().execute(async (tx) => {
    const member = await lockMember(tx, id)
    if (member.role === role) return member
    if (member.role === 'admin') await requireOtherAdmin(tx, id)
    await tx
      .updateTable('memberships')
      .set({ role, updated_at: sql<Date>`now()` })
      .where('project_id', '=', id.projectId)
      .where('user_id', '=', id.userId)
      .execute()
    return await findMember(tx, id)
  })
}

/**
 * Removes a member; what they made stays.
 * @throws {Problem} 404 for no such member, 422 `last_admin`
 */
export async function removeMember(db: Database, id: MemberId): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const member = await lockMember(tx, id)
    if (member.role === 'admin') await requireOtherAdmin(tx, id)
    await tx.deleteFrom('memberships').where('project_id', '=', id.projectId).where('user_id', '=', id.userId).execute()
    await adjustMemberCount(tx, id.projectId, -1)
  })
}

async function lockMember(tx: Database, id: MemberId): Promise<MemberRow> {
  await lockMembers(tx, id.projectId)
  return await findMember(tx, id)
}

async function findMember(tx: Database, { projectId, userId }: MemberId): Promise<MemberRow> {
  const member = isUuid(userId) ? await selectMember(tx, projectId, userId) : undefined
  if (member === undefined) throw notFoundProblem('member')
  return member
}

/** The project is held: nobody else can stop being an admin meanwhile. */
async function requireOtherAdmin(tx: Database, { projectId, userId }: MemberId): Promise<void> {
  const other = await tx
    .selectFrom('memberships')
    .select('user_id')
    .where('project_id', '=', projectId)
    .where('role', '=', 'admin')
    .where('user_id', '!=', userId)
    .limit(1)
    .executeTakeFirst()
  if (other !== undefined) return
  throw unprocessableProblem('last_admin', 'This is the last admin of the project. Make somebody else an admin first.')
}

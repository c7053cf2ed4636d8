import type { Member } from '@caseward/contract/members'
import { sql } from 'kysely'

import { defineColumns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { type JsonItems, readPage, toTextQuery } from '../../platform/database/reads.ts'
import { toJsonString, toJsonTimestamp, toPlainJsonString } from '../../platform/http/json-text.ts'
import type { PageRange } from '../../platform/http/pagination.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'

/**
 * Holds a project's row. Whatever changes who is a member, or with which role, holds it, and reads what it decides by
 * after that: so no two changes can each rely on what the other takes away.
 * @throws {Problem} 404 when the project is gone
 */
export async function lockMembers(tx: Database, projectId: string): Promise<{ name: string }> {
  return await requireLockedProject(tx, projectId)
}

const memberColumns = defineColumns<Member>({
  id: { sql: 'u.id', encode: toPlainJsonString },
  email: { sql: 'u.email', encode: toJsonString },
  name: { sql: 'u.name', encode: toJsonString },
  avatar_url: { sql: 'u.avatar_url', encode: toJsonString },
  role: { sql: 'm.role', encode: toPlainJsonString },
  joined_at: { sql: 'm.joined_at', encode: toJsonTimestamp },
})

/** A page of a project's members, in the order in which they joined; null when the project is gone. */
export async function selectMembers(
  db: Database,
  projectId: string,
  { role }: { role?: Member['role'] },
  { limit, offset }: PageRange,
): Promise<JsonItems | null> {
  const withRole = role === undefined ? sql`` : sql`and m.role = ${role}::member_role`
  const count =
    role === undefined
      ? sql`p.member_count`
      : sql`(select count(*) from memberships m where m.project_id = p.id ${withRole})`
  const total = sql`select ${count} from projects p where p.id = ${projectId}`
  const rows = sql`
    select ${sql.raw(memberColumns.selectList)}, (${total})
    from memberships m join users u on u.id = m.user_id
    where m.project_id = ${projectId} ${withRole}
    order by m.joined_at, m.user_id
    limit ${limit} offset ${offset}`
  return await readPage(db, { rows: toTextQuery(db, rows), total: () => toTextQuery(db, total) }, memberColumns.toJson)
}

export async function selectMember(db: Database, projectId: string, userId: string) {
  return await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select([
      'users.id',
      'users.email',
      'users.name',
      'users.avatar_url',
      'memberships.role',
      'memberships.joined_at',
      'memberships.updated_at',
    ])
    .where('memberships.project_id', '=', projectId)
    .where('memberships.user_id', '=', userId)
    .executeTakeFirst()
}
export type UserProject = Awaited<ReturnType<typeof selectUserProjects>>[number]

/** The projects that a user is a member of, the one joined last first; the hundred last at most. */
export async function selectUserProjects(db: Database, userId: string) {
  return await db
    .selectFrom('memberships')
    .innerJoin('projects', 'projects.id', 'memberships.project_id')
    .select(['projects.id', 'projects.name', 'projects.prefix', 'memberships.role'])
    .where('memberships.user_id', '=', userId)
    .orderBy('memberships.joined_at', 'desc')
    .orderBy('projects.id', 'desc')
    .limit(100)
    .execute()
}

export type MemberRow = NonNullable<Awaited<ReturnType<typeof selectMember>>>

/** Makes a user a member. One who is a member already stays as they are. The project must be held. */
export async function insertMember(
  tx: Database,
  member: { projectId: string; userId: string; role: Member['role'] },
): Promise<void> {
  const inserted = await tx
    .insertInto('memberships')
    .values({ project_id: member.projectId, user_id: member.userId, role: member.role })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (inserted !== undefined) await adjustMemberCount(tx, member.projectId, 1)
}

export async function adjustMemberCount(tx: Database, projectId: string, by: number): Promise<void> {
  await tx
    .updateTable('projects')
    .set((row) => ({ member_count: row('member_count', '+', by) }))
    .where('id', '=', projectId)
    .execute()
}

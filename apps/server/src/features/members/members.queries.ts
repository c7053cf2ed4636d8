import type { Member } from '@caseward/contract/members'
import { sql } from 'kysely'

import { defineColumns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { type JsonItems, readPage, toTextQuery } from '../../platform/database/reads.ts'
import { toJsonString, toJsonTimestamp, toPlainJsonString } from '../../platform/http/json-text.ts'
import type { PageRange } from '../../platform/http/pagination.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'

/** The key of a membership. */
export interface MembershipId {
  projectId: string
  userId: string
}

/**
 * Locks the project's row. Every change of members and roles takes this lock before it reads, so that two changes cannot
 * both rely on what the other one removes.
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

/** Reads a page of members, in the order in which they joined; null when the project is gone. */
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
      'memberships.group_role',
    ])
    .where('memberships.project_id', '=', projectId)
    .where('memberships.user_id', '=', userId)
    .executeTakeFirst()
}

/** Returns the role of a member who is not disabled, and keeps the user from being disabled until the transaction ends. */
export async function lockActiveMember(tx: Database, { projectId, userId }: MembershipId) {
  return await tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('memberships.role')
    .where('memberships.project_id', '=', projectId)
    .where('memberships.user_id', '=', userId)
    .where('users.disabled_at', 'is', null)
    .forShare('users')
    .executeTakeFirst()
}

export type MemberRow = NonNullable<Awaited<ReturnType<typeof selectMember>>>

/**
 * Adds a member, unless the account was just disabled or deleted. A member by a group gets the role of a person, too; any other
 * member stays as is. Requires the lock of {@link lockMembers}.
 */
export async function insertMember(
  tx: Database,
  member: { projectId: string; userId: string; role: Member['role'] },
): Promise<void> {
  const inserted = await tx
    .insertInto('memberships')
    .columns(['project_id', 'user_id', 'role'])
    .expression((from) =>
      from
        .selectFrom('users')
        .select([sql`${member.projectId}::uuid`.as('project_id'), 'id', sql`${member.role}::member_role`.as('role')])
        .where('id', '=', member.userId)
        .where('disabled_at', 'is', null),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'user_id'])
        .doUpdateSet({
          role: sql<Member['role']>`least(memberships.role, excluded.role)`,
          given_role: sql<Member['role']>`least(memberships.given_role, excluded.role)`,
        })
        .where(sql<boolean>`memberships.group_role is not null`),
    )
    .returning(sql<boolean>`xmax = 0`.as('is_new'))
    .executeTakeFirst()
  if (inserted?.is_new === true) await adjustMemberCount(tx, member.projectId, 1)
}

export async function adjustMemberCount(tx: Database, projectId: string, by: number): Promise<void> {
  await tx
    .updateTable('projects')
    .set((row) => ({ member_count: row('member_count', '+', by) }))
    .where('id', '=', projectId)
    .execute()
}

export async function updateRole(
  tx: Database,
  { projectId, userId }: MembershipId,
  role: Member['role'],
): Promise<void> {
  await tx
    .updateTable('memberships')
    .set({
      role,
      given_role: sql<Member['role']>`case when group_role is not null then ${role}::member_role end`,
      updated_at: sql<Date>`now()`,
    })
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute()
}

export async function deleteMembership(tx: Database, { projectId, userId }: MembershipId): Promise<void> {
  await tx.deleteFrom('memberships').where('project_id', '=', projectId).where('user_id', '=', userId).execute()
}

/** Returns whether the project has an admin besides this user who can sign in. */
export async function hasOtherAdmin(tx: Database, { projectId, userId }: MembershipId): Promise<boolean> {
  const otherAdmin = await tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'user_id')
    .select('user_id')
    .where('project_id', '=', projectId)
    .where('role', '=', 'admin')
    .where('user_id', '!=', userId)
    .where('disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return otherAdmin !== undefined
}

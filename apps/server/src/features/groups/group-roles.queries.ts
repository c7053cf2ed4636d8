import type { GroupRole, GroupRoleInput } from '@caseward/contract/group-roles'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'

/** Reads the groups that have a role in a project, with the members whom they gave it, at most 1,000 of each group. */
export async function selectGroupRoles(db: Database, projectId: string): Promise<GroupRole[]> {
  const { rows } = await sql<GroupRole>`
    select g.group_name as "group", g.role, array(
      select mg.user_id from membership_groups mg
      where mg.project_id = g.project_id and mg.group_name = g.group_name order by mg.user_id limit 1000
    ) as user_ids
    from group_roles g where g.project_id = ${projectId} order by g.group_name`.execute(db)
  return rows
}

/** Replaces the groups of a project; returns the members who have or had one of them. Requires the lock of the project. */
export async function saveGroupRoles(
  tx: Database,
  projectId: string,
  groupRoles: readonly GroupRoleInput[],
): Promise<string[]> {
  const members = await sql<{ user_id: string }>`
    select distinct user_id from membership_groups where project_id = ${projectId}`.execute(tx)
  const names = groupRoles.map(({ group }) => group)
  await sql`delete from group_roles where project_id = ${projectId} and group_name <> all(${names}::text[])`.execute(tx)
  await sql`
    insert into group_roles (project_id, group_name, role)
    select ${projectId}, entry.name, entry.role
    from unnest(${names}::text[], ${groupRoles.map(({ role }) => role)}::member_role[]) as entry (name, role)
    on conflict (project_id, group_name) do update set role = excluded.role`.execute(tx)
  return members.rows.map(({ user_id: id }) => id)
}

/**
 * Finds the projects in which a user's groups differ from what is stored: in which a group gives a role now, or does not any
 * more. Usually there are none, so that a sign-on takes no locks.
 */
export async function findChangedProjects(db: Database, userId: string, groups: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ project_id: string }>`
    with entitled as (
      select project_id, group_name from group_roles where group_name = any(${groups}::text[])
    ), stored as (
      select project_id, group_name from membership_groups where user_id = ${userId}
    )
    (select project_id from (table entitled except table stored) as added)
    union
    (select project_id from (table stored except table entitled) as removed)
    order by project_id`.execute(db)
  return rows.map(({ project_id: id }) => id)
}

/** Locks projects in the order of their ids, as every change of members locks one; returns those that still exist. */
export async function lockProjects(tx: Database, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from projects where id = any(${ids}::uuid[]) order by id for no key update`.execute(tx)
  return rows.map(({ id }) => id)
}

/** A project that a user cannot join, because it has as many members as the instance allows. */
export interface FullProject {
  id: string
  quota: number
}

/** Finds the projects that the user would join, and that are full. Requires the locks of the projects. */
export async function selectFullProjects(
  tx: Database,
  userId: string,
  projectIds: readonly string[],
): Promise<FullProject[]> {
  const { rows } = await sql<FullProject>`
    select p.id, s.max_members_per_project as quota
    from projects p join instance_settings s on p.member_count >= s.max_members_per_project
    where p.id = any(${projectIds}::uuid[])
      and not exists (select from memberships m where m.project_id = p.id and m.user_id = ${userId})
    order by p.id`.execute(tx)
  return rows
}

/** Keeps a user from being deleted or disabled until the transaction ends; returns whether the user was not. */
export async function lockActiveUser(tx: Database, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from users where id = ${userId} and disabled_at is null for no key update`.execute(tx)
  return rows.length > 0
}

/** Stores which of a user's groups have a role in these projects. */
export async function saveMembershipGroups(
  tx: Database,
  userId: string,
  { projectIds, groups }: { projectIds: readonly string[]; groups: readonly string[] },
): Promise<void> {
  await sql`
    delete from membership_groups
    where user_id = ${userId} and project_id = any(${projectIds}::uuid[]) and group_name <> all(${groups}::text[])
  `.execute(tx)
  await sql`
    insert into membership_groups (project_id, user_id, group_name)
    select project_id, ${userId}, group_name from group_roles
    where project_id = any(${projectIds}::uuid[]) and group_name = any(${groups}::text[])
    on conflict do nothing`.execute(tx)
}

/** Whether a project has an admin who can sign in. */
export async function hasActiveAdmin(tx: Database, projectId: string): Promise<boolean> {
  const { rows } = await sql`
    select from memberships m join users u on u.id = m.user_id
    where m.project_id = ${projectId} and m.role = 'admin' and u.disabled_at is null limit 1`.execute(tx)
  return rows.length > 0
}

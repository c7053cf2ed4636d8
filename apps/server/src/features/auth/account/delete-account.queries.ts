import { sql } from 'kysely'

import type { Database } from '../../../platform/database/connect.ts'
import { getEmailKeySql, toEmailKey } from '../users/email-key.ts'
import type { UserRow } from '../users/users.queries.ts'

/** The name of every deleted account. */
const DELETED_NAME = 'Deleted user'
const DELETED_TOKEN_NAME = 'Deleted token'

/** An address that no mail server accepts (RFC 2606), different for each account. */
const getDeletedEmail = (userId: string) => `deleted-${userId}@deleted.invalid`

/** Locks the projects of a member in the order of their ids, so that two transactions that lock several do not deadlock. */
export async function lockProjectsOfMember(tx: Database, userId: string): Promise<void> {
  await sql`
    select from projects where id in (select project_id from memberships where user_id = ${userId})
    order by id for no key update`.execute(tx)
}

/** Selects the projects that have no other admin who can sign in. Requires {@link lockProjectsOfMember}. */
export async function selectProjectsOfLastAdmin(tx: Database, userId: string): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select p.id, p.name from memberships m join projects p on p.id = m.project_id
    where m.user_id = ${userId} and m.role = 'admin' and not exists (
      select from memberships other join users u on u.id = other.user_id and u.disabled_at is null
      where other.project_id = m.project_id and other.role = 'admin' and other.user_id <> m.user_id
    )
    order by p.name, p.id`.execute(tx)
  return rows
}

/** Ends all memberships of a user, and returns them. */
export async function deleteMemberships(
  tx: Database,
  userId: string,
): Promise<{ project_id: string; role: 'admin' | 'member' | 'viewer' }[]> {
  const memberships = await tx
    .deleteFrom('memberships')
    .where('user_id', '=', userId)
    .returning(['project_id', 'role'])
    .execute()
  const projectIds = memberships.map(({ project_id }) => project_id)
  await sql`update projects set member_count = member_count - 1 where id = any(${projectIds}::uuid[])`.execute(tx)
  return memberships
}

/**
 * Deletes every row that belongs to the user, as deleting the row of the user would: factors, identities, reset links, known
 * browsers and the like. The tables are those with a foreign key `on delete cascade`, so that a new one is covered. Only
 * `project_people` keeps its rows, from which lists take the name of an author.
 */
export async function deleteRowsOfUser(tx: Database, userId: string): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select k.conrelid::regclass::text as table, a.attname as column
    from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where k.confrelid = 'users'::regclass and k.contype = 'f' and k.confdeltype = 'c'
      and k.conrelid <> 'project_people'::regclass
    order by 1, 2`.execute(tx)
  for (const { table, column } of rows) {
    // PostgreSQL has quoted the name where it must be.
    await sql`delete from ${sql.raw(table)} where ${sql.ref(column)} = ${userId}`.execute(tx)
  }
}

/** Removes the address from invitations that are not pending. A pending one can still be accepted, with a new account. */
export async function anonymizeInvitations(tx: Database, { id, email }: UserRow): Promise<void> {
  await tx
    .updateTable('invitations')
    .set({ email: getDeletedEmail(id) })
    .where(getEmailKeySql('email'), '=', toEmailKey(email))
    .where(sql<boolean>`(status <> 'pending' or expires_at <= now())`)
    .execute()
}

/** Removes everything personal from the row of a user, which stays as the author of what the user did. */
export async function anonymizeUser(tx: Database, userId: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      email: getDeletedEmail(userId),
      email_confirmed_at: null,
      name: DELETED_NAME,
      avatar_url: null,
      password_hash: null,
      is_instance_admin: false,
      has_second_factor: false,
      review_since: null,
      disabled_at: sql<Date>`coalesce(disabled_at, now())`,
      deleted_at: sql<Date>`now()`,
      last_sign_in_at: null,
      assignment_mail_at: null,
      mention_mail_at: null,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', userId)
    .execute()
}

/**
 * Removes names, email addresses and identities at a provider from the audit log. What was done, when, by which id and from
 * which IP address stays until the entry expires: it is needed to investigate attacks.
 */
export async function anonymizeAuditLog(tx: Database, { id, email }: UserRow): Promise<void> {
  const isActor = sql`actor_id = ${id}`
  const isSubject = sql`(subject_kind = 'user' and subject_id = ${id}::text)`
  const isInvitation = sql`(subject_kind = 'invitation' and lower(subject_name collate "C") = ${toEmailKey(email)})`
  const isOwnToken = sql`(${isActor} and subject_kind = 'token' and detail ->> 'kind' = 'personal')`
  await sql`
    update audit_log set
      actor_name = case when ${isActor} then ${DELETED_NAME} else actor_name end,
      actor_email = case when ${isActor} then null else actor_email end,
      token_name = case when ${isActor} and token_name is not null then ${DELETED_TOKEN_NAME} else token_name end,
      subject_name = case
        when ${isSubject} or ${isInvitation} then ${DELETED_NAME}
        when ${isOwnToken} then ${DELETED_TOKEN_NAME}
        else subject_name end,
      subject_email = case when ${isSubject} then null else subject_email end,
      -- Names before and after a change, and who the user is at a sign-in provider.
      detail = case when ${isSubject} and action not like 'member.%' and action <> 'user.delete' then '{}' else detail end
    where ${isActor} or ${isSubject} or ${isInvitation}`.execute(tx)
}

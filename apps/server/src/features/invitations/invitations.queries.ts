import type { Invitation } from '@caseward/contract/invitations'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import { defineColumns } from '../../platform/database/columns.ts'
import { type Database, violatesConstraint } from '../../platform/database/connect.ts'
import { type JsonItems, readPage, toTextQuery } from '../../platform/database/reads.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { toJsonString, toJsonTimestamp, toPlainJsonString } from '../../platform/http/json-text.ts'
import type { PageRange } from '../../platform/http/pagination.ts'
import { getEmailKeySql, toEmailKey } from '../auth/users/email-key.ts'

const VALID_DAYS = 7

const sevenDaysFromNow = sql<Date>`now() + make_interval(days => ${sql.lit(VALID_DAYS)})`
/** `pending` is stored also past the expiry time. */
const STATUS = "case when status = 'pending' and expires_at <= now() then 'expired' else status end"
const status = sql.raw<Invitation['status']>(STATUS)

const fields = ['id', 'email', 'role', 'invited_by', 'expires_at', 'created_at', status.as('status')] as const

export type InvitationRow = NonNullable<Awaited<ReturnType<typeof lockInvitation>>>

const invitationColumns = defineColumns<Invitation>({
  id: { sql: 'id', encode: toPlainJsonString },
  email: { sql: 'email', encode: toJsonString },
  role: { sql: 'role', encode: toPlainJsonString },
  status: { sql: STATUS, encode: toPlainJsonString },
  invited_by: { sql: 'invited_by', encode: toPlainJsonString },
  expires_at: { sql: 'expires_at', encode: toJsonTimestamp },
  created_at: { sql: 'created_at', encode: toJsonTimestamp },
})

/** Reads a page of a project's invitations, the newest first. */
export async function selectInvitations(
  db: Database,
  projectId: string,
  filter: { status?: Invitation['status'] },
  { limit, offset }: PageRange,
): Promise<JsonItems | null> {
  const withStatus = filter.status === undefined ? sql`` : sql`and ${status} = ${filter.status}::invitation_status`
  const total = sql`select count(*) from invitations where project_id = ${projectId} ${withStatus}`
  const rows = sql`
    select ${sql.raw(invitationColumns.selectList)}, (${total})
    from invitations where project_id = ${projectId} ${withStatus}
    order by id desc
    limit ${limit} offset ${offset}`
  return await readPage(
    db,
    { rows: toTextQuery(db, rows), total: () => toTextQuery(db, total) },
    invitationColumns.toJson,
  )
}

/** Returns whether the user with this email address is a member. */
export async function isMember(tx: Database, projectId: string, email: string): Promise<boolean> {
  const member = await tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('users.id')
    .where('memberships.project_id', '=', projectId)
    .where(getEmailKeySql('users.email'), '=', toEmailKey(email))
    .executeTakeFirst()
  return member !== undefined
}

/** Returns undefined when the error says that another invitation for the address is pending. */
function toUndefinedIfPending(error: unknown): undefined {
  if (!violatesConstraint(error, 'invitations_pending')) throw error
}

/**
 * Inserts a pending invitation. An expired one for the same address is first stored as expired. Returns undefined when
 * another invitation is pending; the transaction has then failed.
 */
export async function insertInvitation(
  tx: Database,
  invitation: { projectId: string; email: string; role: Invitation['role']; invitedBy: string },
) {
  const { projectId, email, role, invitedBy } = invitation
  await tx
    .updateTable('invitations')
    .set({ status: 'expired' })
    .where('project_id', '=', projectId)
    .where(getEmailKeySql('email'), '=', toEmailKey(email))
    .where('status', '=', 'pending')
    .where('expires_at', '<=', sql<Date>`now()`)
    .execute()
  return await tx
    .insertInto('invitations')
    .values({ id: uuidv7(), project_id: projectId, email, role, invited_by: invitedBy, expires_at: sevenDaysFromNow })
    .returning(fields)
    .executeTakeFirstOrThrow()
    .catch(toUndefinedIfPending)
}

/** Locks an invitation; returns undefined when the project has none with this id. */
export async function lockInvitation(tx: Database, projectId: string, id: string) {
  if (!isUuid(id)) return undefined
  return await tx
    .selectFrom('invitations')
    .select(fields)
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Makes an invitation pending for another seven days. Returns undefined when another one for the same address is pending;
 * the transaction has then failed.
 */
export async function renewInvitation(tx: Database, id: string, resentBy: string) {
  return await tx
    .updateTable('invitations')
    .set({ status: 'pending', expires_at: sevenDaysFromNow, resent_by: resentBy })
    .where('id', '=', id)
    .returning(fields)
    .executeTakeFirstOrThrow()
    .catch(toUndefinedIfPending)
}

export async function updateInvitationStatus(
  tx: Database,
  id: string,
  newStatus: 'accepted' | 'revoked',
): Promise<void> {
  await tx.updateTable('invitations').set({ status: newStatus }).where('id', '=', id).execute()
}

/**
 * Revokes the invitations that a user made or resent and that are still pending, in one project or in all: they could join
 * with the link of one that they sent to another address of their own. Requires a lock that keeps the user from inviting:
 * that of `lockMembers` or, for all projects, on the user.
 * @returns the addresses that were invited
 */
export async function revokePendingInvitations(
  tx: Database,
  { projectId, userId }: { projectId?: string; userId: string },
): Promise<string[]> {
  const inProject = projectId === undefined ? sql`true` : sql`project_id = ${projectId}`
  // In the order of the ids, so that two transactions that revoke the same invitations do not deadlock.
  const { rows } = await sql<{ email: string }>`
    with pending as (
      select id from invitations
      where ${inProject} and status = 'pending' and expires_at > now()
        and (invited_by = ${userId} or resent_by = ${userId})
      order by id for no key update
    )
    update invitations set status = 'revoked' where id in (select id from pending) returning email`.execute(tx)
  return rows.map(({ email }) => email)
}

import type { Invitation } from '@caseward/contract/invitations'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import { type Database, violates } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import type { PageRange } from '../../platform/http/pagination.ts'

const VALID_DAYS = 7

const sevenDaysFromNow = sql<Date>`now() + make_interval(days => ${sql.lit(VALID_DAYS)})`
/** `pending` is stored also past the expiry time. */
const status = sql<
  Invitation['status']
>`case when status = 'pending' and expires_at <= now() then 'expired' else status end`

const fields = ['id', 'email', 'role', 'invited_by', 'expires_at', 'created_at', status.as('status')] as const

export type InvitationRow = NonNullable<Awaited<ReturnType<typeof lockInvitation>>>

/** Returns a page of invitations as JSON text, the newest first, and the total. */
export async function selectInvitations(
  db: Database,
  projectId: string,
  filter: { status?: Invitation['status'] },
  { limit, offset }: PageRange,
) {
  const withStatus = filter.status === undefined ? sql`` : sql`and ${status} = ${filter.status}::invitation_status`
  const { rows } = await sql<{ items: string; total: number }>`
    select (select count(*) from invitations where project_id = ${projectId} ${withStatus}) as total, (
      select coalesce(json_agg(item), '[]') from (
        select id, email, role, ${status} as status, invited_by,
          iso_utc(expires_at) as expires_at, iso_utc(created_at) as created_at
        from invitations where project_id = ${projectId} ${withStatus}
        order by invitations.id desc
        limit ${limit} offset ${offset}
      ) item
    )::text as items`.execute(db)
  return rows[0] ?? { items: '[]', total: 0 }
}

/** Returns whether the user with this email address is a member. */
export async function isMember(tx: Database, projectId: string, email: string): Promise<boolean> {
  const member = await tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('users.id')
    .where('memberships.project_id', '=', projectId)
    .where(sql`lower(users.email)`, '=', sql`lower(${email})`)
    .executeTakeFirst()
  return member !== undefined
}

/** Returns undefined when the error says that another invitation for the address is pending. */
function toUndefinedIfPending(error: unknown): undefined {
  if (!violates(error, 'invitations_pending')) throw error
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
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
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
export async function renewInvitation(tx: Database, id: string) {
  return await tx
    .updateTable('invitations')
    .set({ status: 'pending', expires_at: sevenDaysFromNow })
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

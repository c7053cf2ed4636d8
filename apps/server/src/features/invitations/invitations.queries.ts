import type { Invitation } from '@caseward/contract/invitations'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import { type Database, violatesConstraint } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import type { PageRange } from '../../platform/http/pagination.ts'
import { conflictProblem, notFoundProblem } from '../../platform/http/problems.ts'

const VALID_DAYS = 7

const sevenDaysFromNow = sql<Date>`now() + make_interval(days => ${sql.lit(VALID_DAYS)})`
/** What is pending has expired once its time has gone by. */
const status = sql<
  Invitation['status']
>`case when status = 'pending' and expires_at <= now() then 'expired' else status end`

const fields = ['id', 'email', 'role', 'invited_by', 'expires_at', 'created_at', status.as('status')] as const

export type InvitationRow = Awaited<ReturnType<typeof lockInvitation>>

/** A page of a project's invitations as a JSON array, the newest first, and how many there are. */
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

/** Whether the user of an e-mail address is a member. */
export async function isMember(tx: Database, projectId: string, email: string): Promise<boolean> {
  const found = await tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('users.id')
    .where('memberships.project_id', '=', projectId)
    .where(sql`lower(users.email)`, '=', sql`lower(${email})`)
    .executeTakeFirst()
  return found !== undefined
}

const alreadyPending = (error: unknown): unknown =>
  violatesConstraint(error, 'invitations_pending')
    ? conflictProblem(
        'invitation_pending',
        'An invitation for this e-mail address is pending. Send it again, or revoke it first.',
      )
    : error

/**
 * Makes an invitation. One that was let lapse makes way.
 * @throws {Problem} 409 when another is pending
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
    .catch((error: unknown) => {
      throw alreadyPending(error)
    })
}

/**
 * Holds an invitation of a project.
 * @throws {Problem} 404 when there is none of this id
 */
export async function lockInvitation(tx: Database, projectId: string, id: string) {
  const found = isUuid(id)
    ? await tx
        .selectFrom('invitations')
        .select(fields)
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
    : undefined
  if (found === undefined) throw notFoundProblem('invitation')
  return found
}

/**
 * Makes an invitation pending for another seven days.
 * @throws {Problem} 409 when another one for the same address is pending by now
 */
export async function renewInvitation(tx: Database, id: string) {
  return await tx
    .updateTable('invitations')
    .set({ status: 'pending', expires_at: sevenDaysFromNow })
    .where('id', '=', id)
    .returning(fields)
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw alreadyPending(error)
    })
}

export async function closeInvitation(tx: Database, id: string, as: 'accepted' | 'revoked'): Promise<void> {
  await tx.updateTable('invitations').set({ status: as }).where('id', '=', id).execute()
}

import type { Invitation } from '@caseward/contract/invitations'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import { defineColumns } from '../../platform/database/columns.ts'
import { type Database, violates } from '../../platform/database/connect.ts'
import { type JsonItems, readPage, toTextQuery } from '../../platform/database/reads.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { toJsonString, toJsonTimestamp, toPlainJsonString } from '../../platform/http/json-text.ts'
import type { PageRange } from '../../platform/http/pagination.ts'
import { conflict, notFound } from '../../platform/http/problems.ts'

const VALID_DAYS = 7

const sevenDaysFromNow = sql<Date>`now() + make_interval(days => ${sql.lit(VALID_DAYS)})`
/** What is pending has expired once its time has gone by. */
const STATUS = "case when status = 'pending' and expires_at <= now() then 'expired' else status end"
const status = sql.raw<Invitation['status']>(STATUS)

const fields = ['id', 'email', 'role', 'invited_by', 'expires_at', 'created_at', status.as('status')] as const

export type InvitationRow = Awaited<ReturnType<typeof lockInvitation>>

const invitationColumns = defineColumns<Invitation>({
  id: { sql: 'id', encode: toPlainJsonString },
  email: { sql: 'email', encode: toJsonString },
  role: { sql: 'role', encode: toPlainJsonString },
  status: { sql: STATUS, encode: toPlainJsonString },
  invited_by: { sql: 'invited_by', encode: toPlainJsonString },
  expires_at: { sql: 'expires_at', encode: toJsonTimestamp },
  created_at: { sql: 'created_at', encode: toJsonTimestamp },
})

/** A page of a project's invitations, the newest first. */
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
  return await readPage(db, { rows: toTextQuery(db, rows), total: () => toTextQuery(db, total) }, invitationColumns.toJson)
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
  violates(error, 'invitations_pending')
    ? conflict(
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
  if (found === undefined) throw notFound('invitation')
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

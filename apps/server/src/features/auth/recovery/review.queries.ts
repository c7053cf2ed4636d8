import type { AccountReview, ReviewItem } from '@caseward/contract/account-reviews'
import { sql } from 'kysely'

import type { Database } from '../../../platform/database/connect.ts'
import { presentNullableTime, presentTime } from '../../../platform/http/timestamps.ts'
import { getEmailKeySql } from '../users/email-key.ts'

/** How long before the account was secured somebody else may have used it: what is older would hide what matters. */
const DAYS_BEFORE = 30
/** Invitations are valid for a week, from when they were sent last. */
const INVITATION_DAYS = 7
const MAX_ITEMS = 500

/** Records that the user should check the account. */
export async function updateReviewSince(tx: Database, userId: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({ review_since: sql<Date>`now()` })
    .where('id', '=', userId)
    .execute()
}

/** Returns false when there was nothing to check. */
export async function clearReviewSince(tx: Database, userId: string): Promise<boolean> {
  const updated = await tx
    .updateTable('users')
    .set({ review_since: null })
    .where('id', '=', userId)
    .where('review_since', 'is not', null)
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

interface ItemRow {
  kind: ReviewItem['kind']
  id: string
  name: string
  project_id: string | null
  project_name: string | null
  created_at: Date
}

/** Reads what a user should check, from the tables themselves: what is gone needs no check. */
export async function selectReview(db: Database, userId: string): Promise<AccountReview> {
  const user = await db.selectFrom('users').select('review_since').where('id', '=', userId).executeTakeFirst()
  const since = user?.review_since ?? null
  const items = since === null ? [] : await selectItems(db, userId, since)
  return { since: presentNullableTime(since), items: items.map(presentItem) }
}

async function selectItems(db: Database, userId: string, since: Date): Promise<ItemRow[]> {
  const from = sql`${since}::timestamptz - make_interval(days => ${sql.lit(DAYS_BEFORE)})`
  const { rows } = await sql<ItemRow>`
    select kind, id, name, project_id, project_name, created_at from (
      select 'second_factor' as kind, id::text, name, null::uuid as project_id, null as project_name, created_at
      from second_factors where user_id = ${userId} and activated_at is not null
      union all
      select 'identity', id::text, issuer, null, null, created_at from sign_in_identities where user_id = ${userId}
      union all
      select 'ci_token', t.id::text, t.name, t.project_id, p.name, t.created_at
      from api_tokens t join projects p on p.id = t.project_id
      where t.kind = 'ci' and t.created_by = ${userId} and t.review_since is not null
        and (t.expires_at is null or t.expires_at > now())
      union all
      select 'member', u.id::text, u.email, i.project_id, p.name, i.created_at
      from invitations i
        join users u on ${getEmailKeySql('u.email')} = ${getEmailKeySql('i.email')}
        join memberships m on m.project_id = i.project_id and m.user_id = u.id
        join projects p on p.id = i.project_id
      where (i.invited_by = ${userId} or i.resent_by = ${userId}) and i.status = 'accepted'
        and i.expires_at > ${from} + make_interval(days => ${sql.lit(INVITATION_DAYS)})
      union all
      (select distinct on (u.id) 'instance_admin', u.id::text, u.email, null::uuid, null, a.at
      from audit_log a join users u on u.id::text = a.subject_id and u.is_instance_admin and u.id <> ${userId}
      where a.actor_id = ${userId} and a.action = 'user.grant_instance_admin' and a.at > ${from}
      order by u.id, a.at desc)
    ) item
    order by created_at desc, id limit ${sql.lit(MAX_ITEMS)}`.execute(db)
  return rows
}

const presentItem = ({ kind, id, name, project_id, project_name, created_at }: ItemRow): ReviewItem => ({
  kind,
  id,
  name,
  project: project_id === null ? null : { id: project_id, name: project_name ?? '' },
  created_at: presentTime(created_at),
})

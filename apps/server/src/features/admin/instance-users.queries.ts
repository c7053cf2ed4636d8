import type { InstanceUser, listUsers } from '@caseward/contract/admin'
import { sql } from 'kysely'
import type { Static } from '@caseward/contract/static'

import { SESSION_IS_ACTIVE } from '../../access/principals.queries.ts'
import { defineColumns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { defineItemRead, type JsonCursorPage, readCursorPage, toTextQuery } from '../../platform/database/reads.ts'
import { toJsonString, toJsonTimestamp, toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'
import { toLikePattern } from '../../platform/http/pagination.ts'

/** Columns of `users u`. */
const userColumns = defineColumns<InstanceUser>({
  id: { sql: 'u.id', encode: toPlainJsonString },
  name: { sql: 'u.name', encode: toJsonString },
  email: { sql: 'u.email', encode: toJsonString },
  is_instance_admin: { sql: 'u.is_instance_admin::text', encode: toRawJson },
  has_second_factor: { sql: 'u.has_second_factor::text', encode: toRawJson },
  disabled_at: { sql: 'u.disabled_at', encode: toJsonTimestamp },
  session_count: {
    sql: `(select count(*) from sessions where user_id = u.id and ${SESSION_IS_ACTIVE})`,
    encode: toRawJson,
  },
  token_count: {
    sql: '(select count(*) from api_tokens where user_id = u.id and (expires_at is null or expires_at > now()))',
    encode: toRawJson,
  },
  last_sign_in_at: { sql: 'u.last_sign_in_at', encode: toJsonTimestamp },
  last_seen_at: {
    // The sessions and tokens that have ended are gone; a sign-in is remembered.
    sql: `greatest(
      u.last_sign_in_at,
      (select max(last_seen_at) from sessions where user_id = u.id),
      (select max(last_used_at) from api_tokens where user_id = u.id)
    )`,
    encode: toJsonTimestamp,
  },
  created_at: { sql: 'u.created_at', encode: toJsonTimestamp },
})

type UserQuery = Static<typeof listUsers.schema.querystring>

/** Reads a page of users, the newest account first. */
export async function selectUsers(
  db: Database,
  { q = '', status, after, per_page: perPage = 20 }: UserQuery,
): Promise<JsonCursorPage> {
  const conditions = [sql`u.deleted_at is null`]
  if (q !== '') conditions.push(buildSearch(q))
  if (status !== undefined)
    conditions.push(status === 'active' ? sql`u.disabled_at is null` : sql`u.disabled_at is not null`)
  if (after !== undefined) conditions.push(sql`u.id < ${after}`)
  // The inner query finds the page first: sessions and tokens are counted for its users only.
  const rows = sql`
    select ${sql.raw(userColumns.selectList)}, u.id
    from (
      select * from users u where ${sql.join(conditions, sql` and `)} order by u.id desc limit ${perPage + 1}
    ) u
    order by u.id desc`
  // A frequent word is found in the order of the list, a rare one by its index: the plan depends on the text.
  return await readCursorPage(db, { ...toTextQuery(db, rows), useCustomPlan: true }, perPage, userColumns.toJson)
}

/** The index `users_search` finds three letters or digits in a row, or the start of a word after a space. */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u
const HAS_LETTER = /[\p{L}\p{N}]/u

/** Matches a part of the name or email address; a short text only at the start of a word, so that the index finds it. */
function buildSearch(q: string) {
  if (!HAS_LETTER.test(q)) return sql`false`
  const pattern = toLikePattern(HAS_TRIGRAM.test(q) ? q : ` ${q}`)
  return sql`(' ' || u.name || ' ' || u.email) ilike ${pattern}`
}

const readUser = defineItemRead(userColumns, 'from users u where u.id = $1 and u.deleted_at is null')

/** A user as a JSON object; null when there is none. */
export const selectUser = (db: Database, id: string): Promise<string | null> => readUser(db, [id])

/**
 * Locks all active instance administrators until the transaction ends, so that two changes cannot each rely on the
 * administrator that the other one removes. Returns their ids.
 */
export async function lockActiveAdmins(tx: Database): Promise<string[]> {
  const rows = await tx
    .selectFrom('users')
    .select('id')
    .where('is_instance_admin', '=', true)
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** What a user may do in the instance. */
export interface InstanceRights {
  isDisabled: boolean
  isInstanceAdmin: boolean
}

/** Locks a user and returns their rights; undefined for an unknown or deleted user. Requires {@link lockActiveAdmins}. */
export async function lockRights(tx: Database, userId: string): Promise<InstanceRights | undefined> {
  const user = await tx
    .selectFrom('users')
    .select(['disabled_at', 'is_instance_admin'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return user && { isDisabled: user.disabled_at !== null, isInstanceAdmin: user.is_instance_admin }
}

/** @param isAdminByGroup whether a group of the sign-in provider makes the user an administrator, and not a person */
export async function updateRights(
  tx: Database,
  userId: string,
  { isDisabled, isInstanceAdmin }: InstanceRights,
  isAdminByGroup = false,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({
      is_instance_admin: isInstanceAdmin,
      is_admin_by_group: sql<boolean>`case when is_instance_admin = ${isInstanceAdmin} then is_admin_by_group else ${isAdminByGroup}::boolean end`,
      disabled_at: isDisabled ? sql<Date>`coalesce(disabled_at, now())` : null,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', userId)
    .execute()
}

/** Returns all instance administrators, active or not, the oldest account first. */
export async function selectInstanceAdmins(db: Database) {
  return await db
    .selectFrom('users')
    .select(['email', 'name', 'disabled_at', 'last_sign_in_at'])
    .where('is_instance_admin', '=', true)
    .orderBy('id')
    .execute()
}

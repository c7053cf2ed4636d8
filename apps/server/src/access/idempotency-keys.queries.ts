import { sql } from 'kysely'

import type { Database } from '../platform/database/connect.ts'
import type { RequestTransaction } from '../platform/database/request-transaction.ts'

/** How long a key is kept. */
export const KEY_HOURS = 24
/** The newest keys of an owner that are kept. */
const MAX_KEYS_PER_OWNER = 10_000
/** The newest responses of an owner that are kept, in bytes. Older keys stay without their response. */
const MAX_BYTES_PER_OWNER = 32 * 1024 * 1024

/** To whom a key belongs: a token, or the user of a session. */
export type KeyOwner = { tokenId: string; userId: null } | { tokenId: null; userId: string }

/** A key with the request that was sent with it, as digests. */
export interface KeyedRequest {
  owner: KeyOwner
  keyDigest: Buffer
  requestDigest: Buffer
}

export interface StoredResponse {
  status: number
  content_type: string | null
  /** Null when it is not kept. */
  body: string | null
  request_digest: Buffer
}

/** Locks a key until the transaction ends. Returns false when another request holds it. */
export async function tryLockKey(tx: RequestTransaction, { owner, keyDigest }: KeyedRequest): Promise<boolean> {
  const [row] = await tx.query<{ is_locked: boolean }>(
    'select pg_try_advisory_xact_lock(hashtext($1), $2::integer) as is_locked',
    [owner.tokenId ?? owner.userId, keyDigest.readInt32BE(0)],
  )
  return row?.is_locked ?? false
}

/** Inserts a key, or replaces an expired one. Returns false when it exists. */
export async function insertKey(
  tx: RequestTransaction,
  { owner, keyDigest, requestDigest }: KeyedRequest,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into idempotency_keys as k (token_id, user_id, key_digest, request_digest) values ($1, $2, $3, $4)
     on conflict (owner_id, key_digest) do update
       set request_digest = excluded.request_digest, created_at = now(), content_type = null, body = null
       where k.created_at < now() - interval '${KEY_HOURS} hours'
     returning status`,
    [owner.tokenId, owner.userId, keyDigest, requestDigest],
  )
  return rows.length > 0
}

export const getKeyOwnerId = ({ tokenId, userId }: KeyOwner): string => tokenId ?? userId

export async function selectResponse(
  tx: RequestTransaction,
  { owner, keyDigest }: KeyedRequest,
): Promise<StoredResponse | null> {
  const [row] = await tx.query<StoredResponse>(
    'select status, content_type, body, request_digest from idempotency_keys where owner_id = $1 and key_digest = $2',
    [getKeyOwnerId(owner), keyDigest],
  )
  return row ?? null
}

export async function updateResponse(
  tx: RequestTransaction,
  { owner, keyDigest }: KeyedRequest,
  { status, content_type, body }: Omit<StoredResponse, 'request_digest'>,
): Promise<void> {
  await tx.query(
    'update idempotency_keys set status = $3, content_type = $4, body = $5 where owner_id = $1 and key_digest = $2',
    [getKeyOwnerId(owner), keyDigest, status, content_type, body],
  )
}

/** Deletes the oldest keys of an owner that has too many, and their oldest responses when they are too large together. */
export async function trimKeys(tx: RequestTransaction, owner: KeyOwner): Promise<void> {
  await tx.query(
    `with ranked as (
       select key_digest, row_number() over newest_first as number,
         sum(coalesce(octet_length(body), 0)) over newest_first as bytes
       from idempotency_keys where owner_id = $1
       window newest_first as (order by created_at desc, key_digest)
     ), deleted as (
       delete from idempotency_keys k using ranked r
       where k.owner_id = $1 and k.key_digest = r.key_digest and r.number > ${MAX_KEYS_PER_OWNER}
     )
     update idempotency_keys k set body = null from ranked r
     where k.owner_id = $1 and k.key_digest = r.key_digest and k.body is not null
       and r.bytes > ${MAX_BYTES_PER_OWNER} and r.number <= ${MAX_KEYS_PER_OWNER}`,
    [getKeyOwnerId(owner)],
  )
}

/** Deletes expired keys, at most `limit`, and returns their number. */
export async function deleteExpiredKeys(db: Database, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency_keys where (owner_id, key_digest) in (
      select owner_id, key_digest from idempotency_keys
      where created_at < now() - ${sql.lit(KEY_HOURS)} * interval '1 hour'
      order by created_at limit ${limit} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}

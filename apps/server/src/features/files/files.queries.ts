import { FILE_KINDS, type FileKind } from '@caseward/contract/attachment-schemas'
import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { Location } from '../../platform/files/file-store.ts'

/** A content that is in the file store. */
export interface StoredContent {
  /** Of its file, if no other one of the project has the same content. */
  id: string
  name: string
  digest: Buffer
  byteCount: number
  location: Location
}

export interface FileRow {
  id: string
  digest: Buffer
  byteCount: number
  mediaType: string
  location: number
}

/**
 * Remembers that a content is being written, so that what is left of it is removed if its file is not stored. The commit
 * does not wait for the disk: a crash leaves a name that no job removes, which `list` of the store still shows.
 * @returns the quota of each project in bytes; null without one
 */
export async function insertFileWrite(db: Database, name: string, location: Location): Promise<number | null> {
  // The setting is about the transaction: this statement, or a request with a key that begins parts, which can be repeated.
  const { rows } = await sql<{ quota: number | null }>`
    insert into file_writes (name, location)
    select ${name}::text, ${location}::smallint from set_config('synchronous_commit', 'off', true)
    returning (select max_file_bytes_per_project from instance_settings) as quota`.execute(db)
  return rows[0]?.quota ?? null
}

/** Whether a content was begun, and no file was stored for it. */
export async function hasFileWrite(db: Database, name: string): Promise<boolean> {
  const { rows } = await sql`select from file_writes where name = ${name}`.execute(db)
  return rows.length > 0
}

export async function deleteFileWrite(db: Database, name: string): Promise<void> {
  await sql`delete from file_writes where name = ${name}`.execute(db)
}

/** The type of a content, for {@link storeFile}. */
export interface FileType {
  kind: FileKind
  mediaType: string
  width: number | null
  height: number | null
}

/** Each project has so many rows in `file_usage`. */
const USAGE_SLOTS = 16
/** Another transaction may store or delete a file with the same content between two statements. */
export const MAX_STORE_ATTEMPTS = 10

/**
 * Stores the file of a content, or finds the one that the project has of it, and locks it until the transaction ends: no
 * sweep deletes it before it is attached.
 */
export async function storeFile(
  tx: Database,
  projectId: string,
  content: StoredContent,
  type: FileType,
): Promise<{ id: string; isNew: boolean }> {
  for (let attempt = 0; attempt < MAX_STORE_ATTEMPTS; attempt += 1) {
    const { rows } = await sql<{ id: string; isNew: boolean }>`
      with ${storeContent(projectId, content, type, sql`true`)} select id, is_new as "isNew" from file`.execute(tx)
    if (rows[0] !== undefined) return rows[0]
  }
  throw storedAgainAndAgainError()
}

export const storedAgainAndAgainError = () =>
  new Error('A file with the same content was stored and deleted again and again')

/*
 * The parts of statements that need a file: a query `file` with its fields and `is_new`, which the statement has locked. A
 * condition decides whether a file is needed: what it reads is locked first.
 */

/** The file with an id; no row if there is none. */
export const findLockedFile = (projectId: string, id: string, condition: Condition): RawBuilder<unknown> =>
  sql`file as materialized (${selectLocked(projectId, sql`f.id = ${id}`, condition)})`

/**
 * The file of a content: a new one, with what the project uses, and without the note that the content is being written; or
 * the one that the project has. No row while another transaction stores or deletes it.
 */
export const storeContent = (
  projectId: string,
  content: StoredContent,
  type: FileType,
  condition: Condition,
): RawBuilder<unknown> => sql`
  existing as materialized (${selectLocked(projectId, sql`f.digest = ${content.digest}`, condition)}), inserted as (
    insert into files (project_id, id, digest, byte_count, media_type, kind, location, width, height)
    select ${projectId}::uuid, ${content.id}::uuid, ${content.digest}::bytea, ${content.byteCount}::bigint,
      ${type.mediaType}::text, ${FILE_KINDS.indexOf(type.kind)}::smallint, ${content.location}::smallint,
      ${type.width}::int, ${type.height}::int
    where ${condition} and not exists (select from existing)
    on conflict (project_id, digest) do nothing
    returning *, true as is_new
  ), counted_usage as (
    ${addUsage(projectId, sql`${content.byteCount}::bigint, 1 from inserted`)}
  ), forgotten as (
    delete from file_writes where name = ${content.name} and exists (select from inserted)
  ), file as (
    select * from existing union all select * from inserted
  )`

type Condition = RawBuilder<unknown>

const selectLocked = (projectId: string, isFile: Condition, condition: Condition): RawBuilder<unknown> => sql`
  select f.*, false as is_new from files f where f.project_id = ${projectId} and ${isFile} and ${condition} for key share`

/** Counts what the files of a project take. */
export async function addFileUsage(tx: Database, projectId: string, bytes: number, files: number): Promise<void> {
  await addUsage(projectId, sql`${bytes}::bigint, ${files}::bigint`).execute(tx)
}

/** @param amounts bytes and files, with the rows to select them from */
function addUsage(projectId: string, amounts: RawBuilder<unknown>): RawBuilder<unknown> {
  const slot = Math.floor(Math.random() * USAGE_SLOTS)
  return sql`
    insert into file_usage as u (project_id, slot, byte_count, file_count)
    select ${projectId}::uuid, ${slot}::smallint, ${amounts}
    on conflict (project_id, slot) do update
    set byte_count = u.byte_count + excluded.byte_count, file_count = u.file_count + excluded.file_count`
}

const selectFileFields = sql`
  select id, digest, byte_count as "byteCount", media_type as "mediaType", location from files`

export async function selectFile(db: Database, projectId: string, id: string): Promise<FileRow | null> {
  const { rows } = await sql<FileRow>`
    ${selectFileFields} where project_id = ${projectId} and id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Notes that the store no longer has the content of a file: its attachments say so. */
export async function markFileLost(db: Database, projectId: string, id: string, location: number): Promise<void> {
  await sql`
    update files set is_lost = true
    where project_id = ${projectId} and id = ${id} and location = ${location} and not is_lost`.execute(db)
}

/** Locks a file until the transaction ends, so that no sweep deletes it; returns whether there is one. */
export async function lockFile(tx: Database, projectId: string, id: string): Promise<boolean> {
  const { rows } = await sql`with ${findLockedFile(projectId, id, sql`true`)} select from file`.execute(tx)
  return rows.length > 0
}

/** Selects files by their digests in hexadecimal, and locks them in a transaction. */
export async function selectFileIds(
  db: Database,
  projectId: string,
  digests: readonly string[],
): Promise<Map<string, string>> {
  if (digests.length === 0) return new Map()
  const lock = db.isTransaction ? sql`for key share` : sql``
  const { rows } = await sql<{ id: string; digest: string }>`
    select id, encode(digest, 'hex') as digest from files
    where project_id = ${projectId} and digest = any(
      array(select decode(hex, 'hex') from unnest(${[...digests]}::text[]) hex)
    ) order by id ${lock}`.execute(db)
  return new Map(rows.map(({ id, digest }) => [digest, id]))
}

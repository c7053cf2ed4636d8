import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { planChecksAnew } from '../../platform/database/plans.ts'
import { STORED_FIELD_NAMES, type TestCaseFields } from '../test-cases/test-case-fields.ts'

/* What is read of test cases that are copied, and written for their copies. Statements are about one project each. */

/** A test case that is copied. */
export interface Original extends Omit<TestCaseFields, 'automation_keys'> {
  number: number
}

/** Keys are unique, so that a copy has none. */
const COPIED_COLUMNS = sql.raw(STORED_FIELD_NAMES.filter((name) => name !== 'automation_keys').join(', '))

/** Counts the bytes of the texts of test cases, of which each number counts once. */
export async function countTextBytes(tx: Database, projectId: string, numbers: readonly number[]): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(
      octet_length(steps::text) + octet_length(precondition) + octet_length(expected_result)
        + coalesce(octet_length(fields::text), 0) + coalesce(octet_length(step_groups::text), 0)
    ), 0)::float8 as bytes
    from test_cases where project_id = ${projectId} and number = any(${[...numbers]}::int[])`.execute(tx)
  return rows[0]?.bytes ?? 0
}

/** Selects test cases by their numbers. */
export async function selectOriginals(
  tx: Database,
  projectId: string,
  numbers: readonly number[],
): Promise<Map<number, Original>> {
  const { rows } = await sql<Original>`
    select number, ${COPIED_COLUMNS} from test_cases
    where project_id = ${projectId} and number = any(${[...numbers]}::int[])`.execute(tx)
  return new Map(rows.map((row) => [row.number, row]))
}

/** A link of an original. */
interface CopiedLink {
  number: number
  url: string
  url_digest: string
  label: string
}

/** Selects the requirements of test cases, the oldest first. */
export async function selectRequirements(
  tx: Database,
  projectId: string,
  numbers: readonly number[],
): Promise<CopiedLink[]> {
  const { rows } = await sql<CopiedLink>`
    select case_number as number, url, url_digest, label from links
    where project_id = ${projectId} and case_number = any(${[...numbers]}::int[]) and kind = 'requirement'
    order by id`.execute(tx)
  return rows
}

export async function insertRequirements(
  tx: Database,
  projectId: string,
  userId: string,
  items: readonly (CopiedLink & { id: string })[],
): Promise<void> {
  if (items.length === 0) return
  await planChecksAnew(tx, items.length)
  await sql`
    insert into links (project_id, id, case_number, kind, url, url_digest, label, created_by)
    select ${projectId}, id, number, 'requirement', url, url_digest, label, ${userId}::uuid
    from json_to_recordset(${JSON.stringify(items)}) as item (id uuid, number int, url text, url_digest uuid, label text)`.execute(
    tx,
  )
}

/** A file that is attached to an original. */
export interface CopiedFile {
  number: number
  step: number | null
  name: string
  fileId: string
  /** SHA-256 in hexadecimal. */
  digest: string
  byteCount: number
  mediaType: string
  kind: number
  width: number | null
  height: number | null
  location: number
  isLost: boolean
}

/** Selects the files of test cases, the oldest first. Those of comments stay with the comments. */
export async function selectFilesOf(
  db: Database,
  projectId: string,
  numbers: readonly number[],
): Promise<CopiedFile[]> {
  const { rows } = await sql<CopiedFile>`
    select a.case_number as number, a.step, a.name, f.id as "fileId", encode(f.digest, 'hex') as digest,
      f.byte_count::float8 as "byteCount", f.media_type as "mediaType", f.kind, f.width, f.height, f.location,
      f.is_lost as "isLost"
    from case_attachments a join files f on f.project_id = ${projectId} and f.id = a.file_id
    where a.project_id = ${projectId} and a.case_number = any(${[...numbers]}::int[]) and a.comment_id is null
    order by a.id`.execute(db)
  return rows
}

/** Locks files until the transaction ends, so that no sweep deletes them before they are attached; returns those that exist. */
export async function lockFiles(tx: Database, projectId: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from files where project_id = ${projectId} and id = any(${[...ids]}::uuid[])
    order by id for key share`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** A file that is attached to a copy. */
interface NewAttachment {
  id: string
  number: number
  step: number | null
  name: string
  file_id: string
}

/** Attaches files to new test cases, and counts them there. */
export async function insertAttachments(
  tx: Database,
  projectId: string,
  userId: string,
  items: readonly NewAttachment[],
): Promise<void> {
  if (items.length === 0) return
  await planChecksAnew(tx, items.length)
  await sql`
    insert into case_attachments (project_id, case_number, step, id, name, file_id, created_by)
    select ${projectId}, number, step, id, name, file_id, ${userId}::uuid
    from json_to_recordset(${JSON.stringify(items)}) as item (id uuid, number int, step smallint, name text, file_id uuid)`.execute(
    tx,
  )
  const counts = new Map<number, number>()
  for (const { number } of items) counts.set(number, (counts.get(number) ?? 0) + 1)
  await sql`
    update test_cases c set attachment_count = item.count
    from unnest(${[...counts.keys()]}::int[], ${[...counts.values()]}::int[]) as item (number, count)
    where c.project_id = ${projectId} and c.number = item.number`.execute(tx)
}

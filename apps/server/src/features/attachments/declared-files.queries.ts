import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'

/** What a run knows of a digest. */
export interface DeclaredContent {
  /** Sizes that were declared. Only one of them can be right. */
  byteCounts: readonly number[]
  /** A name of the file, and whether it was declared as a trace: the type depends on them. */
  name: string
  isTrace: boolean
  /** The file of the project with this content; null if there is none. */
  fileId: string | null
  /** Whether attachments wait for the content. Otherwise, some have it. */
  isAwaited: boolean
}

const isWaiting = sql`a.file_id is null and a.removed_at is null`

const MAX_NAMES = 100

/** Selects what a run knows of a digest; null if none of its attachments has it. */
export async function selectDeclaredContent(
  db: Database,
  { id: runId, project }: RunRef,
  digest: Buffer,
): Promise<DeclaredContent | null> {
  const { rows: waiting } = await sql<{ name: string; byteCount: number; isTrace: boolean }>`
    select a.name, a.byte_count as "byteCount", coalesce(a.is_trace, false) as "isTrace" from run_attachments a
    where a.project_id = ${project.id} and a.run_id = ${runId} and a.digest = ${digest} and ${isWaiting}
    order by a.id limit ${sql.lit(MAX_NAMES)}`.execute(db)
  const { rows: files } = await sql<{ id: string; byteCount: number; isAttached: boolean }>`
    select f.id, f.byte_count as "byteCount", exists (
      select from run_attachments a where a.project_id = ${project.id} and a.file_id = f.id and a.run_id = ${runId}
    ) as "isAttached"
    from files f where f.project_id = ${project.id} and f.digest = ${digest}`.execute(db)
  const [first] = waiting
  const [file] = files
  if (first === undefined && file?.isAttached !== true) return null
  return {
    byteCounts: file === undefined ? waiting.map(({ byteCount }) => byteCount) : [file.byteCount],
    name: (waiting.find(({ isTrace }) => isTrace) ?? first)?.name ?? '',
    isTrace: waiting.some(({ isTrace }) => isTrace),
    fileId: file?.id ?? null,
    isAwaited: first !== undefined,
  }
}

/** Which attachments of a run have changed. */
export interface ChangedAttachments {
  resultIds: string[]
  testIds: string[]
}

/**
 * Completes all attachments of a run that wait for a content. The caller holds the lock on the run, and on the file. Returns
 * null when none waits.
 */
export async function completeAttachments(
  tx: Database,
  { id: runId, project }: RunRef,
  digest: Buffer,
  fileId: string,
): Promise<ChangedAttachments | null> {
  const { rows } = await sql<ChangedAttachments & { count: number }>`
    with completed as (
      update run_attachments a set file_id = ${fileId}, digest = null, byte_count = null, is_trace = null
      where a.project_id = ${project.id} and a.run_id = ${runId} and a.digest = ${digest} and ${isWaiting}
      returning a.result_id, a.test_id
    ), counted as (
      select count(*)::int as count, array_agg(distinct result_id) filter (where result_id is not null) as result_ids,
        array_agg(distinct test_id) filter (where test_id is not null) as test_ids
      from completed
    ), counted_run as (
      update runs set waiting_file_count = nullif(waiting_file_count - count, 0) from counted
      where runs.id = ${runId} and count > 0
    )
    select count, coalesce(result_ids, '{}') as "resultIds", coalesce(test_ids, '{}') as "testIds" from counted`.execute(
    tx,
  )
  const [row] = rows
  return row === undefined || row.count === 0 ? null : { resultIds: row.resultIds, testIds: row.testIds }
}

/** Locks a run until the transaction ends; returns whether it is there. A completed one still receives its files. */
export async function lockRunForFiles(tx: Database, { id, project }: RunRef): Promise<boolean> {
  const { rows } = await sql`
    select from runs where project_id = ${project.id} and id = ${id} for no key update`.execute(tx)
  return rows.length > 0
}

/** Selects the contents that a run waits for, in the order of their digests; one more than `limit` if there are more. */
export async function selectMissingFiles(
  db: Database,
  { id: runId, project }: RunRef,
  { after, limit }: { after: Buffer | null; limit: number },
): Promise<{ digest: Buffer; byteCount: number }[]> {
  const { rows } = await sql<{ digest: Buffer; byteCount: number }>`
    select a.digest, max(a.byte_count) as "byteCount" from run_attachments a
    where a.project_id = ${project.id} and a.run_id = ${runId} and ${isWaiting}
      and (${after}::bytea is null or a.digest > ${after}::bytea)
    group by a.digest order by a.digest limit ${limit + 1}`.execute(db)
  return rows
}

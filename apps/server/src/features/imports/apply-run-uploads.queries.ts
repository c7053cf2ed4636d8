import { toStoredJson } from '@caseward/importers/stored-json'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { toSourceDigest } from '../tests/run-uploads.queries.ts'
import type { PlannedUpload, PlannedUploads } from './plan-run-uploads.ts'

type RunUploads = PlannedUploads & { id: string }

/** Gives new runs their uploads and the shards of their jobs. */
export async function insertRunUploads(tx: Database, projectId: string, runs: readonly RunUploads[]): Promise<void> {
  await insertUploads(
    tx,
    projectId,
    runs.flatMap(({ id, uploads }) => uploads.map((upload) => ({ run_id: id, ...upload }))),
  )
  const jobs = runs.flatMap(({ id, jobs: all }) => all.map((job) => ({ run_id: id, ...job })))
  if (jobs.length > 0) {
    await sql`
      insert into run_jobs (project_id, run_id, job, expected_shards, shards_done)
      select ${projectId}::uuid, run_id, job, expected_shards, array(select json_array_elements_text(shards_done))
      from json_to_recordset(${toStoredJson(jobs)}) as item (
        run_id uuid, job text, expected_shards int, shards_done json
      )`.execute(tx)
  }
  const shards = runs.flatMap(({ id, shards: own }) =>
    own.expected_shards === null && own.shards_done.length === 0 ? [] : [{ id, ...own }],
  )
  if (shards.length > 0) {
    await sql`
      update runs r set expected_shards = item.expected_shards,
        shards_done = array(select json_array_elements_text(item.shards_done))
      from json_to_recordset(${toStoredJson(shards)}) as item (id uuid, expected_shards int, shards_done json)
      where r.project_id = ${projectId} and r.id = item.id`.execute(tx)
  }
}

/**
 * Adds uploads that runs of earlier imports have got in the source since. A run that CI has reported to here keeps its own.
 * @returns the ids of runs that cannot have those of the source
 */
export async function appendRunUploads(
  tx: Database,
  projectId: string,
  runs: readonly RunUploads[],
): Promise<ReadonlySet<string>> {
  const sent = runs.filter(({ uploads }) => uploads.length > 0)
  if (sent.length === 0) return new Set()
  const { rows } = await sql<{ run_id: string; number: number; at: Date }>`
    select run_id, number, uploaded_at as at from run_uploads
    where project_id = ${projectId} and run_id = any(${sent.map(({ id }) => id)}::uuid[])`.execute(tx)
  const lost = new Set<string>()
  const added = sent.flatMap(({ id, uploads }) => {
    const here = rows.filter((row) => row.run_id === id)
    const times = new Map(uploads.map((upload) => [upload.number, upload.uploaded_at]))
    const known = new Set(here.map(({ number }) => number))
    const missing = uploads.filter(({ number }) => !known.has(number))
    if (missing.length === 0) return []
    if (here.some(({ number, at }) => times.get(number) !== at.toISOString())) {
      lost.add(id)
      return []
    }
    return missing.map((upload) => ({ run_id: id, ...upload }))
  })
  await insertUploads(tx, projectId, added)
  return lost
}

async function insertUploads(
  tx: Database,
  projectId: string,
  uploads: readonly (PlannedUpload & { run_id: string })[],
): Promise<void> {
  if (uploads.length === 0) return
  const items = uploads.map((upload) => ({ ...upload, source_digest: toDigestOf(upload) }))
  await sql`
    insert into run_uploads (project_id, run_id, number, source, source_digest, job, instance, shard, variant, report, label, job_url,
      build_attempt, is_rerun, test_count, failed_count, executed_count, elapsed_ms, is_excluded, finished_at, uploaded_at)
    select ${projectId}::uuid, run_id, number, source, source_digest, job, instance, shard, variant, report, label, job_url,
      build_attempt, is_rerun, test_count, failed_count, executed_count, elapsed_ms, is_excluded, finished_at, uploaded_at
    from json_to_recordset(${toStoredJson(items)}) as item (
      run_id uuid, number int, source int, source_digest uuid, job text, instance text, shard text, variant text, report text,
      label text, job_url text, build_attempt bigint, is_rerun boolean, test_count int, failed_count int, executed_count int,
      elapsed_ms bigint, is_excluded boolean, finished_at timestamptz, uploaded_at timestamptz
    )`.execute(tx)
  // What CI sends to the run later is numbered after these.
  await sql`
    update runs r set upload_count = counted.uploads, source_count = counted.sources
    from (
      select run_id, max(number) as uploads, max(source) as sources from run_uploads
      where project_id = ${projectId} and run_id = any(${[...new Set(uploads.map((upload) => upload.run_id))]}::uuid[])
      group by run_id
    ) counted
    where r.project_id = ${projectId} and r.id = counted.run_id`.execute(tx)
}

const toDigestOf = ({
  job,
  instance,
  shard,
  variant,
  report,
  label,
  job_url: jobUrl,
  build_attempt: buildAttempt,
  is_rerun: isRerun,
}: PlannedUpload): string =>
  toSourceDigest({ job, instance, shard, variant, report, label, jobUrl, buildAttempt, isRerun })

/** Returns what tells whether a run has a source of this number. The first one needs no upload. */
export async function selectSourceNumbers(
  tx: Database,
  projectId: string,
  runIds: readonly string[],
): Promise<(runId: string, source: number) => boolean> {
  const { rows } = await sql<{ run_id: string; source: number }>`
    select distinct run_id, source from run_uploads
    where project_id = ${projectId} and run_id = any(${[...runIds]}::uuid[])`.execute(tx)
  const known = new Set(rows.map((row) => `${row.run_id} ${row.source}`))
  return (runId, source) => source === 1 || known.has(`${runId} ${source}`)
}

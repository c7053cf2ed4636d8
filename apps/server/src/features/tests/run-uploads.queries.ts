import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { toDigest } from '../../platform/database/text-digest.ts'
import type { Source } from './combine-parts.ts'

/** What one source contributes to an upload. */
export interface SourceUpload {
  source: Source
  testCount: number
  failedCount: number
  /** Tests that passed or failed. */
  executedCount: number
  /** How long its tests took together; null if it says nothing. */
  elapsedMs: number | null
}

/** An upload with so many executed tests, of which so many failed, says nothing about single tests. */
const MASS_FAILURE_TESTS = 20
const MASS_FAILURE_SHARE = 0.8

/** Whether most tests failed, as in an outage. */
export const isMassFailure = ({ executed, failed }: { executed: number; failed: number }): boolean =>
  executed >= MASS_FAILURE_TESTS && failed >= MASS_FAILURE_SHARE * executed

/** Counts the tests of all sources of an upload: an outage may spread over many small report files. */
function isMassFailureOf(uploads: readonly SourceUpload[]): boolean {
  const sum = (get: (upload: SourceUpload) => number) => uploads.reduce((total, upload) => total + get(upload), 0)
  return isMassFailure({ executed: sum((upload) => upload.executedCount), failed: sum((upload) => upload.failedCount) })
}

export interface RecordedUploads {
  /** The number of each source in the run, in their order. */
  sources: number[]
  /** Whether everything in the run is from one source: then the upload replaces its outcomes, and nothing else is there. */
  isOnlySource: boolean
  /** The time of the transaction. */
  at: Date
  /** The number of attachments of the run; null for none. */
  attachmentCount: number | null
}

/** The source of outcomes from before sources were known. */
export const UNKNOWN_SOURCE: Source = {
  job: '',
  instance: '',
  shard: '',
  variant: '',
  report: '',
  label: '',
  jobUrl: '',
  buildAttempt: null,
  isRerun: false,
}

/** What makes a source in one build attempt; the label only describes it. */
export const toSourceDigest = ({ job, instance, shard, variant, report, buildAttempt, isRerun }: Source): string =>
  toDigest(JSON.stringify([job, instance, shard, variant, report, buildAttempt, isRerun]))

const UNKNOWN_DIGEST = toSourceDigest(UNKNOWN_SOURCE)

/**
 * Records an upload, and gives each of its sources the number that it has in the run. The caller holds the lock on the run.
 * Outcomes that the run has already are of an unknown source if no upload was recorded.
 * @param uploads one for each source, all different
 */
export async function recordUploads(
  tx: Database,
  { id, project }: RunRef,
  uploads: readonly SourceUpload[],
  finishedAt: Date | null,
): Promise<RecordedUploads> {
  const sources = uploads.map(({ source }) => source)
  const texts = (get: (source: Source) => string) => sql`${toArrayLiteral(sources.map(get))}::text[]`
  const { rows } = await sql<{ source: number; source_count: number; at: Date; attachment_count: number | null }>`
    with input as materialized (
      select *, source_digest = ${UNKNOWN_DIGEST} as is_unknown
      from unnest(
        ${toArrayLiteral(sources.map(toSourceDigest))}::uuid[], ${texts(({ job }) => job)},
        ${texts(({ instance }) => instance)}, ${texts(({ shard }) => shard)}, ${texts(({ variant }) => variant)},
        ${texts(({ report }) => report)}, ${texts(({ label }) => label)}, ${texts(({ jobUrl }) => jobUrl)},
        ${`{${sources.map(({ buildAttempt }) => buildAttempt ?? 'NULL').join(',')}}`}::bigint[],
        ${`{${sources.map(({ isRerun }) => isRerun).join(',')}}`}::boolean[],
        ${`{${uploads.map(({ testCount }) => testCount).join(',')}}`}::int[],
        ${`{${uploads.map(({ failedCount }) => failedCount).join(',')}}`}::int[],
        ${`{${uploads.map(({ executedCount }) => executedCount).join(',')}}`}::int[],
        ${`{${uploads.map(({ elapsedMs }) => elapsedMs ?? 'NULL').join(',')}}`}::bigint[]
      ) with ordinality as sent (
        source_digest, job, instance, shard, variant, report, label, job_url, build_attempt, is_rerun, test_count, failed_count,
        executed_count, elapsed_ms, ordinal
      )
    ), counts as materialized (
      select upload_count, attachment_count, greatest(source_count, has_outcomes::int) as source_count,
        source_count = 0 and has_outcomes as has_unrecorded
      from runs cross join lateral (
        select passed_test_count + failed_test_count + skipped_test_count > 0 as has_outcomes
      ) outcomes
      where id = ${id}
    ), known as materialized (
      select input.*, coalesce(
        (
          select u.source from run_uploads u
          where u.project_id = ${project.id} and u.run_id = ${id} and u.source_digest = input.source_digest limit 1
        ),
        case when input.is_unknown and counts.has_unrecorded then 1 end
      ) as source
      from input cross join counts
    ), numbered as materialized (
      select known.*, counts.upload_count + ordinal::int as number, coalesce(
        known.source, counts.source_count + (row_number() over (partition by known.source is null order by ordinal))::int
      ) as new_source
      from known cross join counts
    ), inserted as (
      insert into run_uploads (
        project_id, run_id, number, source, finished_at, source_digest, job, instance, shard, variant, report, label, job_url,
        build_attempt, is_rerun, test_count, failed_count, executed_count, elapsed_ms, is_excluded
      )
      select ${project.id}, ${id}, number, new_source, ${finishedAt}::timestamptz, source_digest, job, instance, shard,
        variant, report, label, job_url, build_attempt, is_rerun, test_count, failed_count, executed_count,
        elapsed_ms, ${isMassFailureOf(uploads)}::boolean
      from numbered
    ), updated_run as (
      update runs set upload_count = runs.upload_count + ${uploads.length}::int, last_upload_at = now(),
        source_count = greatest(counts.source_count, (select max(new_source) from numbered))
      from counts where runs.id = ${id}
    )
    select new_source as source, greatest(counts.source_count, max(new_source) over ()) as source_count,
      now()::timestamptz(3) as at, counts.attachment_count
    from numbered cross join counts order by ordinal`.execute(tx)
  const [first] = rows
  return {
    sources: rows.map(({ source }) => source),
    isOnlySource: first?.source_count === 1,
    at: first?.at ?? new Date(),
    attachmentCount: first?.attachment_count ?? null,
  }
}

/** Returns the sources of a run with these numbers. */
export async function selectSources(
  tx: Database,
  { id, project }: RunRef,
  numbers: readonly number[],
): Promise<Map<number, Source>> {
  if (numbers.length === 0) return new Map()
  const { rows } = await sql<SourceRow>`
    select distinct on (source) ${SOURCE_COLUMNS}
    from run_uploads
    where project_id = ${project.id} and run_id = ${id} and source = any(${`{${numbers.join(',')}}`}::int[])
    order by source, number`.execute(tx)
  return new Map(rows.map((row) => [row.source, toSource(row)]))
}

/** A source with its number in the run. */
export interface SourceState {
  number: number
  source: Source
}

/** A source of a run, and whether most tests of its newest upload failed. */
export interface SourceOfRun {
  source: Source
  isExcluded: boolean
}

/** Selects all sources of a run. Returns a function that finds one by its number. */
export async function selectAllSources(
  db: Database,
  { id, project }: RunRef,
): Promise<(number: number) => SourceOfRun> {
  const { rows } = await sql<SourceRow & { is_excluded: boolean }>`
    select distinct on (source) ${SOURCE_COLUMNS}, is_excluded
    from run_uploads where project_id = ${project.id} and run_id = ${id}
    order by source, number desc`.execute(db)
  const sources = new Map(rows.map((row) => [row.source, { source: toSource(row), isExcluded: row.is_excluded }]))
  return (number) => sources.get(number) ?? { source: UNKNOWN_SOURCE, isExcluded: false }
}

/** Returns a source and the others of the same job, in all their build attempts. */
export async function selectSourcesOfJob(
  tx: Database,
  { id, project }: RunRef,
  { job }: Source,
  number: number,
): Promise<SourceState[]> {
  const { rows } = await sql<SourceRow>`
    select distinct on (source) ${SOURCE_COLUMNS}
    from run_uploads
    where project_id = ${project.id} and run_id = ${id} and (source = ${number} or (job = ${job} and job <> ''))
    order by source, number`.execute(tx)
  return rows.map((row) => ({ number: row.source, source: toSource(row) }))
}

/** Returns the numbers of the sources of a run that name a variant, or of those that name none; not those of reruns. */
export async function selectSourcesOfOtherVariant(
  db: Database,
  { id, project }: RunRef,
  hasVariant: boolean,
): Promise<number[]> {
  const { rows } = await sql<{ source: number }>`
    select distinct source from run_uploads
    where project_id = ${project.id} and run_id = ${id} and (variant = '') = ${hasVariant}::boolean and not is_rerun`.execute(
    db,
  )
  return rows.map(({ source }) => source)
}

const SOURCE_COLUMNS = sql`source, job, instance, shard, variant, report, label, job_url, build_attempt, is_rerun`

interface SourceRow extends Omit<Source, 'jobUrl' | 'buildAttempt' | 'isRerun'> {
  source: number
  job_url: string
  build_attempt: string | null
  is_rerun: boolean
}

const toSource = ({ job, instance, shard, variant, report, label, ...row }: SourceRow): Source => ({
  job,
  instance,
  shard,
  variant,
  report,
  label,
  jobUrl: row.job_url,
  buildAttempt: row.build_attempt === null ? null : Number(row.build_attempt),
  isRerun: row.is_rerun,
})

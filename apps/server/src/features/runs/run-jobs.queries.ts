import { MAX_SHARDS } from '@caseward/contract/shards'
import type { RunJob } from '@caseward/contract/run-jobs'
import { cutText } from '@caseward/matching/note'
import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import { type Database, violatesConstraint } from '../../platform/database/connect.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { FIRST_SOURCE } from '../tests/outcome-write.ts'
import { conflictProblem } from '../../platform/http/problems.ts'

const MAX_JOB_LENGTH = 255

/** The name of a CI job as it is stored: a longer one is truncated, which must not fail what reports. */
export const toJobName = (job: string): string => cutText(job.trim(), MAX_JOB_LENGTH).trim()

/** Notes that a CI job has begun, and how many shards it has, unless that is known. */
export async function saveRunJob(
  tx: Database,
  { id, project }: Pick<RunRef, 'id' | 'project'>,
  job: string,
  expectedShards: number | null,
): Promise<void> {
  await sql`
    insert into run_jobs (project_id, run_id, job, expected_shards)
    values (${project.id}, ${id}, ${job}, ${expectedShards})
    on conflict (project_id, run_id, job) do update
      set expected_shards = coalesce(run_jobs.expected_shards, excluded.expected_shards)`.execute(tx)
}

/**
 * Adds a shard to those of a CI job that are done.
 * @throws {Problem} 409 when the job has the maximum number of shards
 */
export async function addShardOfJob(
  tx: Database,
  { id, project }: RunRef,
  { job, shard, expectedShards }: { job: string; shard: string; expectedShards: number | null },
): Promise<void> {
  try {
    await sql`
      insert into run_jobs (project_id, run_id, job, expected_shards, shards_done)
      values (${project.id}, ${id}, ${job}, ${expectedShards}, array[${shard}::text])
      on conflict (project_id, run_id, job) do update set
        expected_shards = coalesce(run_jobs.expected_shards, excluded.expected_shards),
        shards_done = case when ${shard}::text = any(run_jobs.shards_done) then run_jobs.shards_done
          else run_jobs.shards_done || ${shard}::text end`.execute(tx)
  } catch (error) {
    throw violatesConstraint(error, 'run_jobs_shards_done_check') ? tooManyShardsProblem() : error
  }
}

export const tooManyShardsProblem = () =>
  conflictProblem('too_many_shards', `The run already has ${MAX_SHARDS} shards, the maximum. Report to a new run.`)

/** Condition on `runs`: no CI job that has begun misses a shard. */
export const NO_JOB_IS_MISSING = `not exists (
  select from run_jobs j
  where j.project_id = runs.project_id and j.run_id = runs.id and cardinality(j.shards_done) < j.expected_shards
)`

/** The CI jobs of a run, in the order of their names. */
export async function selectRunJobs(db: Database, { id, project }: RunRef): Promise<RunJob[]> {
  const { rows } = await sql<Omit<RunJob, 'last_upload_at'> & { last_upload_at: Date | null }>`
    with grouped as materialized (
      select job, instance, shard, variant, label, build_attempt, count(*)::int as upload_count,
        max(uploaded_at) as last_upload_at, sum(failed_count)::int as failed_count, array_agg(distinct source) as numbers
      from run_uploads where project_id = ${project.id} and run_id = ${id}
      group by job, instance, shard, variant, label, build_attempt
    ), counted as materialized (
      select grouped.*, (
        select count(*)::int from suite_errors e
        where e.project_id = ${project.id} and e.run_id = ${id} and coalesce(e.source, ${sql.lit(FIRST_SOURCE)}) = any(grouped.numbers)
      ) as error_count
      from grouped
    ), uploads as materialized (
      select job, sum(upload_count)::int as upload_count, max(last_upload_at) as last_upload_at, json_agg(
        json_build_object(
          'instance', instance, 'shard', shard, 'variant', variant, 'label', label, 'build_attempt', build_attempt,
          'upload_count', upload_count, 'failed_count', failed_count, 'error_count', error_count
        ) order by instance, shard, variant, build_attempt
      ) as sources
      from counted group by job
    )
    select coalesce(j.job, u.job) as job, j.expected_shards, coalesce(j.shards_done, '{}') as shards_done,
      coalesce(cardinality(j.shards_done) >= j.expected_shards, true) as is_done,
      coalesce(u.upload_count, 0) as upload_count, u.last_upload_at, coalesce(u.sources, '[]') as sources
    from (select * from run_jobs where project_id = ${project.id} and run_id = ${id}) j
    full join uploads u on u.job = j.job
    order by 1`.execute(db)
  return rows.map(({ last_upload_at: lastUploadAt, ...job }) => ({
    ...job,
    last_upload_at: lastUploadAt === null ? null : presentTime(lastUploadAt),
  }))
}

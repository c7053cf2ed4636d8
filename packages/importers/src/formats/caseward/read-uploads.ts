import type { RunRecord, RunUploadRecord } from '../../history-records.ts'
import { type Raw, readNumber, readObjects, readString, readStrings } from './read-values.ts'

/** What CI has sent to a run. What is not there is missing, so that records of files that have none stay as they were. */
export function toRunUploads(raw: Raw): Pick<RunRecord, 'uploads' | 'jobs' | 'expected_shards' | 'shards_done'> {
  const uploads = readObjects(raw, 'uploads').map(toUpload)
  const jobs = readObjects(raw, 'jobs').map((job) => ({
    job: readString(job, 'job'),
    expected_shards: readNumber(job, 'expected_shards'),
    shards_done: readStrings(job, 'shards_done'),
  }))
  const expected = readNumber(raw, 'expected_shards')
  const done = readStrings(raw, 'shards_done')
  return {
    ...(uploads.length === 0 ? {} : { uploads }),
    ...(jobs.length === 0 ? {} : { jobs }),
    ...(expected === null ? {} : { expected_shards: expected }),
    ...(done.length === 0 ? {} : { shards_done: done }),
  }
}

const toUpload = (raw: Raw): RunUploadRecord => ({
  number: readNumber(raw, 'number') ?? 0,
  source: readNumber(raw, 'source') ?? 0,
  job: readString(raw, 'job'),
  instance: readString(raw, 'instance'),
  shard: readString(raw, 'shard'),
  variant: readString(raw, 'variant'),
  report: readString(raw, 'report'),
  label: readString(raw, 'label'),
  job_url: readString(raw, 'job_url'),
  build_attempt: readNumber(raw, 'build_attempt'),
  is_rerun: raw['is_rerun'] === true,
  test_count: readNumber(raw, 'test_count') ?? 0,
  failed_count: readNumber(raw, 'failed_count') ?? 0,
  executed_count: readNumber(raw, 'executed_count'),
  elapsed_ms: readNumber(raw, 'elapsed_ms'),
  is_excluded: raw['is_excluded'] === true,
  finished_at: readString(raw, 'finished_at'),
  at: readString(raw, 'at'),
})

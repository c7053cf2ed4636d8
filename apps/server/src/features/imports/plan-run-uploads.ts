import { MAX_SHARDS } from '@caseward/contract/shards'
import type { RunRecord, RunUploadRecord } from '@caseward/importers/records'
import { readTime } from '@caseward/importers/steps/read-time'
import { cutText } from '@caseward/matching/note'

import { isAddress } from '@caseward/importers/read-statistics'

/** An upload of CI as it is stored. */
export interface PlannedUpload extends Omit<RunUploadRecord, 'at' | 'finished_at'> {
  finished_at: string | null
  uploaded_at: string
}

/** Which shards of a job, or of the run as a whole, are expected and have reported. */
export interface PlannedShards {
  expected_shards: number | null
  shards_done: readonly string[]
}

/** What CI has sent to a run, besides the tests. */
export interface PlannedUploads {
  uploads: PlannedUpload[]
  jobs: (PlannedShards & { job: string })[]
  shards: PlannedShards
}

const MAX_UPLOADS = 10_000
const MAX_JOBS = 1000
const MAX_NUMBER = 1_000_000
const MAX_COUNT = 2_147_483_647
const MAX_TEXT = 255
const MAX_URL = 4096

const toText = (text: string) => cutText(text.toWellFormed().replaceAll('\u0000', ''), MAX_TEXT)

const isCount = (value: number) => Number.isInteger(value) && value >= 0 && value <= MAX_COUNT

const isNumber = (value: number) => Number.isInteger(value) && value >= 1 && value <= MAX_NUMBER

const toCount = (value: number | null) => (value !== null && isCount(value) ? value : null)

/**
 * Plans the uploads of a run and the shards of its jobs. Numbers tell which of them a part of a test is from.
 * @returns also whether some cannot be stored
 */
export function planRunUploads(record: RunRecord, importedAt: Date): PlannedUploads & { isLost: boolean } {
  const byNumber = new Map<number, PlannedUpload>()
  const { uploads: sent = [], jobs: sentJobs = [] } = record
  for (const upload of sent.slice(0, MAX_UPLOADS)) {
    const isPossible = isNumber(upload.number) && isNumber(upload.source) && isCount(upload.test_count)
    if (isPossible && isCount(upload.failed_count) && !byNumber.has(upload.number))
      byNumber.set(upload.number, toUpload(upload, importedAt))
  }
  const jobs = new Map(
    sentJobs.slice(0, MAX_JOBS).map((job) => [toText(job.job), { job: toText(job.job), ...toShards(job) }] as const),
  )
  return {
    uploads: [...byNumber.values()].toSorted((a, b) => a.number - b.number),
    jobs: [...jobs.values()],
    shards: toShards({ expected_shards: record.expected_shards ?? null, shards_done: record.shards_done ?? [] }),
    isLost: byNumber.size < sent.length || jobs.size < sentJobs.length,
  }
}

function toUpload(upload: RunUploadRecord, importedAt: Date): PlannedUpload {
  const { at, finished_at: finishedAt, ...values } = upload
  const toPast = (text: string) => {
    const time = readTime(text)
    return time === null ? null : (time > importedAt ? importedAt : time).toISOString()
  }
  return {
    ...values,
    job: toText(values.job),
    instance: toText(values.instance),
    shard: toText(values.shard),
    variant: toText(values.variant),
    report: toText(values.report),
    label: toText(values.label),
    job_url: isAddress(values.job_url) && values.job_url.length <= MAX_URL ? values.job_url : '',
    build_attempt: toCount(values.build_attempt),
    executed_count: toCount(values.executed_count),
    elapsed_ms: toCount(values.elapsed_ms),
    finished_at: toPast(finishedAt),
    uploaded_at: toPast(at) ?? importedAt.toISOString(),
  }
}

function toShards({ expected_shards: expected, shards_done: done }: PlannedShards): PlannedShards {
  return {
    expected_shards:
      expected !== null && Number.isInteger(expected) && expected >= 1 && expected <= MAX_SHARDS ? expected : null,
    shards_done: [...new Set(done.map(toText))].slice(0, MAX_SHARDS),
  }
}

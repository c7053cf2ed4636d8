import type { SourceSettings } from '@caseward/ci-run/source'
import { listRunJobs, listSuiteErrors, type Evaluation } from '@caseward/client/endpoints'

import { CommandError } from '../../command-error.ts'
import { toCommandError } from '../../connect.ts'
import { type EvaluatedRun, readAllVerdicts, readVerdicts } from '../../verdicts/read-verdicts.ts'
import { readReportedFailures } from '../exec/reported-failures.ts'
import type { Evidence, Rules } from './judge.ts'

/** The run that is judged, and the job that judges it. */
export interface Subject extends EvaluatedRun {
  readonly source: SourceSettings
  /** Name of this shard; null for none. */
  readonly shard: string | null
  readonly rules: Rules
  readonly testExitCode: number | null
  readonly isUploadPartial: boolean
}

/** Reads what a judgement needs. */
export async function readEvidence(subject: Subject, evaluation: Evaluation): Promise<Evidence> {
  const { connection, run, source, shard, rules, testExitCode } = subject
  const isOfJob = rules.scope === 'job'
  const verdicts = isOfJob
    ? await readVerdicts(subject, { job: source.job, ...(shard === null ? {} : { shard }) })
    : await readAllVerdicts(subject, evaluation)
  const needsJob = isOfJob || (testExitCode !== null && testExitCode !== 0)
  const job = needsJob ? await readReportedFailures(connection, run.value, source) : null
  if (needsJob && job === null) throw new CommandError(['The CI jobs of the run could not be read.'])
  const suiteErrorCount = isOfJob ? (job?.errors ?? 0) : evaluation.suite_error_count
  const errors = suiteErrorCount === 0 ? [] : await readSuiteErrors(subject)
  return {
    evaluation,
    verdicts,
    suiteErrors: isOfJob && shard !== null ? errors.filter((error) => error.shard === shard) : errors,
    suiteErrorCount,
    executed: isOfJob ? countTests(subject, evaluation) : evaluation.tests.executed,
    shards: isOfJob ? null : await readShards(subject, evaluation),
    elapsedMs: isOfJob ? null : measureElapsed(evaluation),
    job,
    testExitCode,
    isUploadPartial: subject.isUploadPartial,
  }
}

/** A run without shards needs no request. What is judged does not depend on this figure: without an answer it is left out. */
async function readShards(
  { connection, run }: Subject,
  { uploads, is_complete: isComplete }: Evaluation,
): Promise<Evidence['shards']> {
  if (isComplete && uploads.every(({ shard }) => shard === '')) return null
  const reply = await connection.client.call(listRunJobs, { params: { run_id: run.value } })
  if (reply.kind !== 'success') return null
  let [done, expected] = [0, 0]
  for (const job of reply.data.data) {
    if (job.expected_shards === null) continue
    done += Math.min(job.shards_done.length, job.expected_shards)
    expected += job.expected_shards
  }
  return expected === 0 ? null : { done, expected }
}

function measureElapsed({ uploads }: Evaluation): number | null {
  const [first, last] = [uploads[0], uploads.at(-1)]
  // An evaluation has the newest uploads only.
  if (first === undefined || last === undefined || first === last || first.number !== 1) return null
  return Date.parse(last.at) - Date.parse(first.at)
}

async function readSuiteErrors({ connection, run }: Subject): Promise<Evidence['suiteErrors']> {
  const reply = await connection.client.call(listSuiteErrors, { params: { run_id: run.value } })
  if (reply.kind !== 'success') throw toCommandError(reply, connection.settings, { run })
  return reply.data.data
}

/** The tests that this job has reported, in its last attempt. */
function countTests({ source, shard }: Subject, { uploads }: Evaluation): number {
  const own = uploads.filter(
    (upload) =>
      upload.job === source.job && upload.variant === source.variant && (shard ?? upload.shard) === upload.shard,
  )
  const last = own.at(-1)?.build_attempt
  return own.filter((upload) => upload.build_attempt === last).reduce((sum, upload) => sum + upload.test_count, 0)
}

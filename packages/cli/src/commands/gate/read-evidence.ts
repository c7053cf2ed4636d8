import type { SourceSettings } from '@caseward/ci-run/source'
import { listSuiteErrors, type Evaluation } from '@caseward/client/endpoints'

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
    job,
    testExitCode,
    isUploadPartial: subject.isUploadPartial,
  }
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

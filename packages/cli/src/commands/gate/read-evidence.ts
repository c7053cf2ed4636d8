import { setTimeout as sleep } from 'node:timers/promises'

import type { SourceSettings } from '@caseward/ci-run/source'
import {
  getEvaluation,
  listSuiteErrors,
  listVerdicts,
  type Evaluation,
  type ListVerdicts,
  type TestVerdict,
} from '@caseward/client/endpoints'

import { CommandError } from '../../command-error.ts'
import { type Connection, toCommandError } from '../../connect.ts'
import type { Setting } from '../../settings.ts'
import { readReportedFailures } from '../exec/reported-failures.ts'
import type { Evidence, Rules } from './judge.ts'

/** The run that is judged, and the job that judges it. */
export interface Subject {
  readonly connection: Connection
  readonly run: Setting
  readonly source: SourceSettings
  /** Name of this shard; null for none. */
  readonly shard: string | null
  readonly rules: Rules
  readonly testExitCode: number | null
  readonly isUploadPartial: boolean
}

const POLL_MS = 2000
/** The server waits as long at most. */
const MAX_WAIT_SECONDS = 60

/**
 * Waits until the evaluation covers all uploads, and until no shard is missing or the time is over.
 * @throws {CommandError} when it cannot be read, or does not cover all uploads in time
 */
export async function waitForEvaluation(subject: Subject, waitMs: number): Promise<Evaluation> {
  const { rules } = subject
  const end = Date.now() + waitMs
  for (;;) {
    const left = Math.max(0, end - Date.now())
    const evaluation = await readEvaluation(subject, Math.min(MAX_WAIT_SECONDS, Math.ceil(left / 1000)))
    const isComplete = evaluation.is_complete || rules.allowIncomplete || rules.scope === 'job'
    if (evaluation.is_current && isComplete) return evaluation
    if (Date.now() >= end) {
      if (evaluation.is_current) return evaluation
      throw new CommandError(['The server has not evaluated all uploads in time. Give it more with --wait.'], {
        code: 'timeout',
      })
    }
    await sleep(Math.min(POLL_MS, Math.max(0, end - Date.now())))
  }
}

async function readEvaluation({ connection, run }: Subject, wait: number): Promise<Evaluation> {
  const reply = await connection.client.call(getEvaluation, { params: { run_id: run.value }, query: { wait } })
  if (reply.kind !== 'success') throw toCommandError(reply, connection.settings, { run, feature: 'evaluations' })
  const { data } = reply.data
  // Nothing may pass because another service answered.
  if (data.run_id !== run.value || !Number.isInteger(data.blocking_count) || !Array.isArray(data.uploads)) {
    throw new CommandError([`What ${connection.settings.url.value} has sent is no evaluation of the run.`])
  }
  return data
}

/** Reads what a judgement needs. */
export async function readEvidence(subject: Subject, evaluation: Evaluation): Promise<Evidence> {
  const { connection, run, source, shard, rules, testExitCode } = subject
  const isOfJob = rules.scope === 'job'
  const filter = isOfJob ? { job: source.job, ...(shard === null ? {} : { shard }) } : {}
  const verdicts = await listAll(subject, filter)
  if (!isOfJob && evaluation.counts.missing > 0) verdicts.push(...(await listAll(subject, { verdict: 'missing' })))
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

async function listAll(
  { connection, run }: Subject,
  filter: { job?: string; shard?: string; verdict?: 'missing' },
): Promise<TestVerdict[]> {
  const verdicts: TestVerdict[] = []
  let after: { after?: string } | null = {}
  while (after !== null) {
    const query: ListVerdicts['query'] = { ...filter, per_page: 500, ...after }
    const reply = await connection.client.call(listVerdicts, { params: { run_id: run.value }, query })
    if (reply.kind !== 'success') throw toCommandError(reply, connection.settings, { run, feature: 'evaluations' })
    const { data, meta }: ListVerdicts['success'][200] = reply.data
    verdicts.push(...data)
    after = meta.next_after === null ? null : { after: meta.next_after }
  }
  return verdicts
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

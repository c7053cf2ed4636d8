import { setTimeout as sleep } from 'node:timers/promises'

import {
  getEvaluation,
  listVerdicts,
  type Evaluation,
  type ListVerdicts,
  type TestVerdict,
} from '@caseward/client/endpoints'

import { CommandError } from '../command-error.ts'
import { type Connection, toCommandError } from '../connect.ts'
import type { Setting } from '../settings.ts'

/** A run whose evaluation is read. */
export interface EvaluatedRun {
  readonly connection: Connection
  readonly run: Setting
}

export interface EvaluationWait {
  /** Milliseconds. */
  readonly waitMs: number
  /** Whether to wait for shards that are missing, too. */
  readonly needsShards: boolean
}

const POLL_MS = 2000
/** The server waits as long at most. */
const MAX_WAIT_SECONDS = 60

/**
 * Waits until the evaluation covers all uploads, and until no shard is missing or the time is over.
 * @throws {CommandError} when it cannot be read, or does not cover all uploads in time
 */
export async function waitForEvaluation(
  evaluated: EvaluatedRun,
  { waitMs, needsShards }: EvaluationWait,
): Promise<Evaluation> {
  const end = Date.now() + waitMs
  for (;;) {
    const left = Math.max(0, end - Date.now())
    const evaluation = await readEvaluation(evaluated, Math.min(MAX_WAIT_SECONDS, Math.ceil(left / 1000)))
    if (evaluation.is_current && (evaluation.is_complete || !needsShards)) return evaluation
    if (Date.now() >= end) {
      if (evaluation.is_current) return evaluation
      throw new CommandError(['The server has not evaluated all uploads in time. Give it more with --wait.'], {
        code: 'timeout',
      })
    }
    await sleep(Math.min(POLL_MS, Math.max(0, end - Date.now())))
  }
}

async function readEvaluation({ connection, run }: EvaluatedRun, wait: number): Promise<Evaluation> {
  const reply = await connection.client.call(getEvaluation, { params: { run_id: run.value }, query: { wait } })
  if (reply.kind !== 'success') throw toCommandError(reply, connection.settings, { run, feature: 'evaluations' })
  const { data } = reply.data
  // Nothing may pass because another service answered.
  if (data.run_id !== run.value || !Number.isInteger(data.blocking_count) || !Array.isArray(data.uploads)) {
    throw new CommandError([`What ${connection.settings.url.value} has sent is no evaluation of the run.`])
  }
  return data
}

/** Which verdicts to read: those of a CI job and shard, or the missing tests; all others without. */
export type VerdictFilter = Pick<ListVerdicts['query'], 'job' | 'shard' | 'verdict'>

/** Reads all verdicts that fit, in the order of the server. */
export async function readVerdicts({ connection, run }: EvaluatedRun, filter: VerdictFilter): Promise<TestVerdict[]> {
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

/** Reads the verdicts of a whole run, and behind them its missing tests. */
export async function readAllVerdicts(evaluated: EvaluatedRun, { counts }: Evaluation): Promise<TestVerdict[]> {
  const verdicts = await readVerdicts(evaluated, {})
  const missing = counts.missing > 0 ? await readVerdicts(evaluated, { verdict: 'missing' }) : []
  return [...verdicts, ...missing]
}

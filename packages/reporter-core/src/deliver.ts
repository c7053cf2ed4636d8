import { type Client, createClient } from '@casebook/client'
import {
  getRun,
  type PartialReceipt,
  reportShardDone,
  type Run,
  updateRun,
  type UploadReceipt,
  uploadResults,
} from '@casebook/client/endpoints'

import { explainFailure, type Failure, notCasebook, Stopped } from './explain-failure.ts'
import { checkRun, cut, findProject, findRun } from './find-run.ts'
import type { Journal } from './journal.ts'
import { type Patience, patience as usual } from './patience.ts'
import { isRecord } from './read-attempt.ts'
import { type ResultItem, resultsOf, type SuiteResults } from './results-of.ts'
import type { RunTarget } from './settings.ts'
import { splitUpload } from './split-upload.ts'
import type { SuiteRecord } from './suite-record.ts'

/** With whom it talks, and where what has no place of its own goes. */
export interface Server {
  readonly url: string
  readonly token: string
  readonly target: RunTarget | null
}

export type Receipt = UploadReceipt | PartialReceipt

/** What came of sending a suite. */
export type Delivery =
  | {
      readonly kind: 'delivered'
      readonly run: Run
      readonly receipts: readonly Receipt[]
      readonly results: SuiteResults
      /** Whether this was the last of the run's shards. */
      readonly completed: boolean
    }
  | ({
      readonly kind: 'failed'
      /** How many results were stored before it failed. */
      readonly stored: number
    } & Failure)

/** A re-run shard reopens a run that its shards have completed; others may complete it again in between. */
const REOPENINGS = 5

/**
 * Sends a suite: finds its run, uploads its results, reports its shard. All of it may be repeated without harm.
 * The journal learns what is to be said before it is said. Never throws for what happens on the network.
 */
export async function deliver(journal: Journal, server: Server, patience: Patience = usual): Promise<Delivery> {
  const record = journal.read()
  const receipts: Receipt[] = []
  try {
    const client = createClient({
      url: server.url,
      token: server.token,
      retries: patience.retries,
      timeoutMs: patience.timeoutMs,
      headers: { 'user-agent': `casebook-${record.header.framework.replaceAll(/[^\w.-]/g, '-')}` },
    })
    return await send(client, record, journal, record.header.target ?? server.target, receipts, patience)
  } catch (error) {
    const stored = receipts.reduce((sum, { uploaded_count }) => sum + uploaded_count, 0)
    return { kind: 'failed', stored, ...failureOf(error) }
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof Stopped) return error.failure
  const isTimeout = error instanceof Error && error.name === 'TimeoutError'
  const reason = isTimeout ? 'The server took too long.' : error instanceof Error ? error.message : String(error)
  return { reason, forGood: false, forAll: true }
}

async function send(
  client: Client,
  record: SuiteRecord,
  journal: Journal,
  target: RunTarget | null,
  receipts: Receipt[],
  { findMs, totalMs }: Patience,
): Promise<Delivery> {
  if (target === null) {
    throw new Stopped({ reason: 'It is not known into which run it belongs.', forGood: false, forAll: false })
  }
  const [finding, sending] = [AbortSignal.timeout(Math.min(findMs, totalMs)), AbortSignal.timeout(totalMs)]
  // Where it was sent to before, it is sent again, whatever has become of its key.
  const place: RunTarget = record.sending === null ? target : { kind: 'run', id: record.sending.runId }
  const [{ prefix, skewMs }, run] = await Promise.all([
    findProject(client, target, finding),
    findRun(client, place, finding),
  ])
  const results = resultsOf(prefix, record.attempts)
  const finishedAt = record.sending?.finishedAt ?? new Date((record.ending?.at ?? record.lastAt) + skewMs).toISOString()
  if (record.sending === null) journal.write({ sending: { runId: run.id, finishedAt } })
  for (const items of splitUpload(results.items)) receipts.push(await upload(client, run, items, finishedAt, sending))
  return { kind: 'delivered', run, receipts, results, completed: await reportShard(client, record, run, sending) }
}

async function upload(
  client: Client,
  run: Run,
  results: readonly ResultItem[],
  finishedAt: string,
  signal: AbortSignal,
): Promise<Receipt> {
  const body = { run_id: run.id, results: [...results], finished_at: finishedAt }
  for (let reopened = 0; ; reopened += 1) {
    const reply = await client.call(uploadResults, { body, signal })
    if (reply.kind === 'success') return checkReceipt(reply.data)
    const isCompleted = reply.kind === 'problem' && reply.problem.code === 'run_completed'
    if (!isCompleted || reopened === REOPENINGS || !(await reopen(client, run, signal)))
      throw new Stopped(explainFailure(reply))
  }
}

const statuses = ['passed', 'failed', 'blocked', 'retest', 'not_tested'] as const

function checkReceipt(receipt: Receipt): Receipt {
  const { uploaded_count: uploaded, stats, ...rest } = receipt
  const errors: unknown = 'errors' in rest ? rest.errors : []
  const isReceipt =
    Number.isInteger(uploaded) &&
    isRecord(stats) &&
    statuses.every((status) => Number.isInteger(stats[status])) &&
    Array.isArray(errors) &&
    errors.every((one) => isRecord(one) && typeof one['test_case_id'] === 'string' && typeof one['error'] === 'string')
  if (!isReceipt) throw new Stopped(notCasebook('no receipt'))
  return receipt
}

/** Reopens a run that was completed by its shards: this one runs again. What a person has closed stays closed. */
async function reopen(client: Client, { id }: Run, signal: AbortSignal): Promise<boolean> {
  const found = await client.call(getRun, { params: { run_id: id }, signal })
  if (found.kind !== 'success') return false
  const { expected_shards, shards_done } = checkRun(found.data.data)
  if (typeof expected_shards !== 'number' || shards_done.length < expected_shards) return false
  const reply = await client.call(updateRun, { params: { run_id: id }, body: { status: 'in_progress' }, signal })
  return reply.kind === 'success'
}

/**
 * Reports the shard as done, unless it has not done all of its work: then the run stays open, for everyone to see.
 * @returns whether the run is complete now
 */
async function reportShard(
  client: Client,
  { header, ending, errors }: SuiteRecord,
  run: Run,
  signal: AbortSignal,
): Promise<boolean> {
  if (header.shard === null || ending === null || ending.interrupted || errors.length > 0) return false
  const name = cut(header.shard, 255)
  const reply = await client.call(reportShardDone, { params: { run_id: run.id, name }, signal })
  if (reply.kind === 'success') return checkRun(reply.data.data).status === 'completed'
  const failure = explainFailure(reply)
  throw new Stopped({
    ...failure,
    reason: `The run does not know yet that the shard “${name}” is done: ${failure.reason}`,
  })
}

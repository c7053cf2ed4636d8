import { type Client, createClient } from '@caseward/client'
import { reportShardDone, type Run } from '@caseward/client/endpoints'

import { toDeliveryFailure, type DeliveryFailure, DeliveryError } from './delivery-failure.ts'
import { assertRun, truncateText, findProject, findRun } from './find-run.ts'
import type { Journal } from './journal.ts'
import { type Timeouts, defaultTimeouts as usual } from './timeouts.ts'
import { buildResults, type SuiteResults } from './build-results.ts'
import type { RunTarget } from './settings.ts'
import type { SuiteRecord } from './suite-record.ts'
import { type Receipt, uploadInParts } from './upload-in-parts.ts'

/** With whom it talks, and where what has no place of its own goes. */
export interface ServerConnection {
  readonly url: string
  readonly token: string
  readonly target: RunTarget | null
}

/** What came of sending a suite. */
export type Delivery =
  | {
      readonly kind: 'delivered'
      readonly run: Run
      readonly receipts: readonly Receipt[]
      readonly results: SuiteResults
      /** Whether this was the last of the run's shards. */
      readonly isRunCompleted: boolean
    }
  | ({
      readonly kind: 'failed'
      /** How many results were stored before it failed. */
      readonly storedCount: number
    } & DeliveryFailure)

/**
 * Sends a suite: finds its run, uploads its results, reports its shard. All of it may be repeated without harm.
 * The journal learns what is to be said before it is said. Never throws for what happens on the network.
 */
export async function deliver(
  journal: Journal,
  server: ServerConnection,
  patience: Timeouts = usual,
): Promise<Delivery> {
  const record = journal.read()
  const receipts: Receipt[] = []
  try {
    const client = createClient({
      url: server.url,
      token: server.token,
      retries: patience.retries,
      timeoutMs: patience.timeoutMs,
      headers: { 'user-agent': `caseward-${record.header.framework.replaceAll(/[^\w.-]/g, '-')}` },
    })
    return await deliverRecord(client, record, journal, record.header.target ?? server.target, receipts, patience)
  } catch (error) {
    const stored = receipts.reduce((sum, { uploaded_count }) => sum + uploaded_count, 0)
    return { kind: 'failed', storedCount: stored, ...toDeliveryFailureFromError(error) }
  }
}

function toDeliveryFailureFromError(error: unknown): DeliveryFailure {
  if (error instanceof DeliveryError) return error.failure
  const isTimeout = error instanceof Error && error.name === 'TimeoutError'
  const reason = isTimeout ? 'The server took too long.' : error instanceof Error ? error.message : String(error)
  return { reason, isPermanent: false, affectsAllSuites: true }
}

async function deliverRecord(
  client: Client,
  record: SuiteRecord,
  journal: Journal,
  target: RunTarget | null,
  receipts: Receipt[],
  { findRunMs: findMs, totalMs }: Timeouts,
): Promise<Delivery> {
  if (target === null) {
    throw new DeliveryError({
      reason: 'It is not known into which run it belongs.',
      isPermanent: false,
      affectsAllSuites: false,
    })
  }
  const [finding, sending] = [AbortSignal.timeout(Math.min(findMs, totalMs)), AbortSignal.timeout(totalMs)]
  // Where it was sent to before, it is sent again, whatever has become of its key.
  const place: RunTarget = record.deliveryStart === null ? target : { kind: 'run', id: record.deliveryStart.runId }
  const [{ prefix, skewMs }, run] = await Promise.all([
    findProject(client, target, finding),
    findRun(client, place, finding),
  ])
  const results = buildResults(prefix, record.attempts)
  const finishedAt =
    record.deliveryStart?.finishedAt ?? new Date((record.ending?.at ?? record.lastAt) + skewMs).toISOString()
  if (record.deliveryStart === null) journal.write({ deliveryStart: { runId: run.id, finishedAt } })
  await uploadInParts(client, run, results.items, finishedAt, { receipts, signal: sending })
  return { kind: 'delivered', run, receipts, results, isRunCompleted: await reportShard(client, record, run, sending) }
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
  const name = truncateText(header.shard, 255)
  const reply = await client.call(reportShardDone, { params: { run_id: run.id, name }, signal })
  if (reply.kind === 'success') return assertRun(reply.data.data).status === 'completed'
  const failure = toDeliveryFailure(reply)
  throw new DeliveryError({
    ...failure,
    reason: `The run does not know yet that the shard “${name}” is done: ${failure.reason}`,
  })
}

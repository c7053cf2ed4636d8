import type { EnvironmentVariables } from '@caseward/ci-run/environment'
import type { Receipt } from '@caseward/ci-run/receipts'
import type { RunTarget } from '@caseward/ci-run/settings'
import { reportShard, toShardName } from '@caseward/ci-run/shards'
import { toSourceFields } from '@caseward/ci-run/source'
import { type Client, createClient } from '@caseward/client'
import { createProxyFetch } from '@caseward/client/proxy'
import type { Run } from '@caseward/client/endpoints'

import { toDeliveryFailure, type DeliveryFailure, DeliveryError } from './delivery-failure.ts'
import { assertRun, findProject, findRun, type FoundRun } from './find-run.ts'
import type { Journal } from './journal.ts'
import { type Timeouts, defaultTimeouts } from './timeouts.ts'
import { buildSuiteErrors, buildTests } from './build-tests.ts'
import type { SpooledFile } from './spooled-file.ts'
import type { SuiteHeader, SuiteRecord } from './suite-record.ts'
import { uploadInParts } from './upload-in-parts.ts'

export interface ServerConnection {
  readonly url: string
  readonly token: string
  /** The run for suites that were recorded without one. */
  readonly target: RunTarget | null
  /** Create test cases for tests that match none; for journals of earlier versions, which do not say. */
  readonly createCases?: boolean | undefined
  /** Add test cases that match to the run; for the same journals. Undefined: as the run says. */
  readonly addToRun?: boolean | undefined
  /** The variables that name a proxy (`HTTPS_PROXY`, …). Default: those of the process. */
  readonly env?: EnvironmentVariables | undefined
}

/** The result of sending a suite. */
export type Delivery =
  | {
      readonly kind: 'delivered'
      readonly run: FoundRun
      readonly receipts: readonly Receipt[]
      /** Whether this was the last shard, so that the run is now completed. */
      readonly isRunCompleted: boolean
      /** Files that the server does not have yet. */
      readonly missingFiles: readonly SpooledFile[]
      /** Number of files that a server of an earlier version does not take. */
      readonly unsupportedFileCount: number
    }
  | ({
      readonly kind: 'failed'
      /** Number of results that were stored before the failure. */
      readonly storedCount: number
    } & DeliveryFailure)

/**
 * Sends a suite: finds its run, uploads its results, reports its shard. Can be repeated safely, because the run and the
 * time are written to the journal before the upload. Never throws because of the network or the server.
 */
export async function deliver(
  journal: Journal,
  server: ServerConnection,
  timeouts: Timeouts = defaultTimeouts,
): Promise<Delivery> {
  const record = journal.read()
  const receipts: Receipt[] = []
  try {
    const client = createServerClient(server, record.header, timeouts)
    return await deliverRecord(client, record, journal, server, receipts, timeouts)
  } catch (error) {
    const storedCount = receipts.reduce((sum, { uploaded_count }) => sum + uploaded_count, 0)
    return { kind: 'failed', storedCount, ...toDeliveryFailureFromError(error, server.url) }
  }
}

export const createServerClient = (
  { url, token, env = process.env }: ServerConnection,
  { framework }: Pick<SuiteHeader, 'framework'>,
  { retries, timeoutMs }: Pick<Timeouts, 'retries' | 'timeoutMs'>,
): Client =>
  createClient({
    url,
    token,
    retries,
    timeoutMs,
    fetch: createProxyFetch(env),
    headers: { 'user-agent': `caseward-${framework.replaceAll(/[^\w.-]/g, '-')}` },
  })

function toDeliveryFailureFromError(error: unknown, url: string): DeliveryFailure {
  if (error instanceof DeliveryError) return error.failure
  const isTimeout = error instanceof Error && error.name === 'TimeoutError'
  const reason = isTimeout
    ? `The server ${url} did not respond in time.`
    : error instanceof Error
      ? error.message
      : String(error)
  return { reason, isPermanent: false, affectsAllSuites: true }
}

async function deliverRecord(
  client: Client,
  record: SuiteRecord,
  journal: Journal,
  server: ServerConnection,
  receipts: Receipt[],
  { findRunMs, totalMs }: Timeouts,
): Promise<Delivery> {
  const target = record.header.target ?? server.target
  if (target === null) {
    throw new DeliveryError({
      reason: 'No run is set for these results.',
      isPermanent: false,
      affectsAllSuites: false,
    })
  }
  const findSignal = AbortSignal.timeout(Math.min(findRunMs, totalMs))
  const signal = AbortSignal.timeout(totalMs)
  // A repeated delivery goes to the same run, even if the run key now belongs to another one.
  const runTarget: RunTarget = record.deliveryStart === null ? target : { kind: 'run', id: record.deliveryStart.runId }
  const project = findProject(client, target, findSignal)
  const [{ prefix, skewMs }, run] = await Promise.all([project, findRun(client, runTarget, project, findSignal)])
  const finishedAt =
    record.deliveryStart?.finishedAt ?? new Date((record.ending?.at ?? record.lastAt) + skewMs).toISOString()
  if (record.deliveryStart === null) journal.write({ deliveryStart: { runId: run.id, finishedAt } })
  const fields = {
    finished_at: finishedAt,
    suite_errors: buildSuiteErrors(record),
    // Several suites without shards may share a run: each replaces only its own errors outside of tests.
    shard: toShardName(record.header.shard ?? record.header.framework),
    ...(record.header.source === null ? {} : toSourceFields(record.header.source)),
    ...(record.header.module === null ? {} : { module: record.header.module }),
    ...toCaseFields(record.header, server),
  }
  await uploadInParts(client, run, buildTests(prefix, record.attempts, record.header.module), fields, {
    receipts,
    signal,
  })
  // The run stays as it was when another delivery has stored newer results.
  const changedNothing = run.status === 'completed' && receipts.length > 0 && !receipts.some(({ reopened }) => reopened)
  const isRunCompleted = !changedNothing && (await reportDone(client, record, run, signal))
  return { kind: 'delivered', run, receipts, isRunCompleted, ...findMissingFiles(record, receipts) }
}

/** Returns the files of a suite, each content once. */
export const getFiles = ({ attempts }: Pick<SuiteRecord, 'attempts'>): SpooledFile[] => {
  const files = attempts.flatMap((attempt) => attempt.files ?? [])
  return [...new Map(files.map((file) => [file.sha256, file])).values()]
}

function findMissingFiles(record: SuiteRecord, receipts: readonly Receipt[]) {
  const files = getFiles(record)
  const isSupported = receipts.some(({ attachments }) => attachments !== undefined)
  const missing = new Set(receipts.flatMap(({ attachments }) => attachments?.missing.map(({ sha256 }) => sha256) ?? []))
  return {
    missingFiles: files.filter(({ sha256 }) => missing.has(sha256)),
    unsupportedFileCount: isSupported ? 0 : files.length,
  }
}

/** What the suite was started with decides about test cases, also when another process sends it. */
function toCaseFields(header: SuiteHeader, server: ServerConnection) {
  const isStated = header.createCases !== undefined
  const createCases = isStated ? header.createCases : server.createCases
  const addToRun = isStated ? header.addToRun : server.addToRun
  return {
    ...(createCases === true ? { create_test_cases: true } : {}),
    ...(addToRun === undefined ? {} : { add_to_run: addToRun }),
  }
}

/**
 * Reports the shard as done, if it is complete. Otherwise the run stays in progress, which shows that results are
 * missing.
 * @returns whether the run is now completed
 */
async function reportDone(
  client: Client,
  { header, ending, errors }: SuiteRecord,
  run: Run,
  signal: AbortSignal,
): Promise<boolean> {
  if (header.shard === null || ending === null || ending.interrupted || errors.length > 0) return false
  const { target, source } = header
  const job = { job: source?.job ?? '', expectedShards: target?.kind === 'key' ? target.expectedShards : null }
  const reply = await reportShard(client, run.id, header.shard, job, { signal })
  if (reply.kind === 'success') return assertRun(reply.data.data).status === 'completed'
  const failure = toDeliveryFailure(reply)
  throw new DeliveryError({
    ...failure,
    reason: `Shard “${toShardName(header.shard)}” was not reported as done: ${failure.reason}`,
  })
}

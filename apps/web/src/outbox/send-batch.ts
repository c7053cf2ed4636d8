import type { Client, ProblemReply } from '@caseward/client'
import { bulkUpdateResults, changeResult, setCombination, updateResult } from '@caseward/client/endpoints'

import { describeFailure } from '../problems.ts'
import type { FailedReply } from '../request-failed.ts'
import { parseRetryAfter } from '../retry-after.ts'
import type { EntryProblem, NewerResult, OutboxEntry } from './outbox-entry.ts'

/**
 * What became of one entry.
 *
 * - `stored`: `testedAt` is null if the response does not contain it
 * - `newer`: the server has a newer result than the one the user saw; `current` is null if it must be read
 * - `alone`: one of the entries was invalid; send each alone
 */
export type EntryOutcome =
  | { readonly kind: 'stored'; readonly testedAt: string | null }
  | { readonly kind: 'newer'; readonly current: NewerResult | null }
  | { readonly kind: 'refused'; readonly problem: EntryProblem }
  | { readonly kind: 'alone' }

/** What became of a request. With `retry` and `session-ended`, nothing is known about its entries. */
export type BatchOutcome =
  | { readonly kind: 'done'; readonly outcomes: ReadonlyMap<string, EntryOutcome> }
  | {
      readonly kind: 'retry'
      readonly message: string
      /** From `Retry-After`; null if there is none. */
      readonly delayMs: number | null
      /** Whether the server itself failed, perhaps because of these entries. */
      readonly hasFailed: boolean
    }
  | { readonly kind: 'session-ended' }

export const MAX_BATCH_ENTRIES = 100
/** The server accepts 1 MB. */
const MAX_BATCH_BYTES = 700_000

/**
 * Chooses what is sent next: the first entry, and others of its run.
 * @param limit the largest number of entries
 */
export function pickBatch(entries: readonly OutboxEntry[], limit: number): readonly OutboxEntry[] {
  const [first] = entries
  if (first === undefined) return []
  // The bulk request names test cases. A deleted one has no id any more.
  if (isAlone(first) || limit === 1) return [first]
  const batch: OutboxEntry[] = []
  let bytes = 0
  for (const entry of entries) {
    if (entry.runId !== first.runId) continue
    // What follows may be about the same result, and is to replace it.
    if (entry.place !== undefined) break
    if (isAlone(entry)) continue
    // A character is up to three bytes of UTF-8, or six of JSON.
    bytes += 300 + ((entry.note?.length ?? 0) + countStepCharacters(entry)) * 6
    if (batch.length === limit || (batch.length > 0 && bytes > MAX_BATCH_BYTES)) break
    batch.push(entry)
  }
  return batch
}

const isAlone = ({ testCaseId, place, keepsStatus }: OutboxEntry) =>
  testCaseId === null || place !== undefined || keepsStatus === true

const countStepCharacters = ({ steps = [] }: OutboxEntry) => (steps.length === 0 ? 0 : JSON.stringify(steps).length)

/** Sends entries of one run in one request. */
export async function sendBatch(client: Pick<Client, 'call'>, batch: readonly OutboxEntry[]): Promise<BatchOutcome> {
  const [first] = batch
  if (first === undefined) return { kind: 'done', outcomes: new Map() }
  return batch.length === 1 ? await sendOne(client, first) : await sendMany(client, first.runId, batch)
}

async function sendOne(client: Pick<Client, 'call'>, entry: OutboxEntry): Promise<BatchOutcome> {
  const params = { run_id: entry.runId, result_id: entry.resultId }
  const { status, ...others } = toBody(entry)
  const reply =
    entry.place !== undefined
      ? await client.call(setCombination, {
          params: { ...params, place: String(entry.place) },
          body: { status, ...others },
        })
      : entry.keepsStatus === true
        ? await client.call(changeResult, { params, body: others })
        : await client.call(updateResult, { params, body: { status, ...others } })
  if (reply.kind === 'success') return all([entry], { kind: 'stored', testedAt: reply.data.data.tested_at })
  return toFailureOutcome([entry], reply)
}

async function sendMany(
  client: Pick<Client, 'call'>,
  run_id: string,
  batch: readonly OutboxEntry[],
): Promise<BatchOutcome> {
  const results = batch.map((entry) => ({ test_case_id: entry.testCaseId ?? '', ...toBody(entry) }))
  const reply = await client.call(bulkUpdateResults, { params: { run_id }, body: { results } })
  if (reply.kind !== 'success') return toFailureOutcome(batch, reply)
  const errors = new Map('errors' in reply.data.data ? reply.data.data.errors.map((e) => [e.test_case_id, e]) : [])
  const outcomes = batch.map((entry): [string, EntryOutcome] => {
    const error = errors.get(entry.testCaseId ?? '')
    if (error === undefined) return [entry.id, { kind: 'stored', testedAt: null }]
    if (error.code === 'newer_result') return [entry.id, { kind: 'newer', current: toWholeResult(error.current) }]
    const kind = error.code === 'not_in_run' || error.code === 'no_test_case_id' ? 'not-found' : 'refused'
    return [entry.id, { kind: 'refused', problem: { kind, message: error.error, newer: null } }]
  })
  return { kind: 'done', outcomes: new Map(outcomes) }
}

/** What the user has not set is left out: the server keeps its values. */
const toBody = ({ status, note, elapsed, steps, caseVersion, base }: OutboxEntry) => ({
  status,
  ...(note === undefined ? {} : { note }),
  ...(elapsed === undefined ? {} : { elapsed }),
  ...(steps === undefined ? {} : { steps: [...steps] }),
  ...(caseVersion === undefined ? {} : { case_version: caseVersion }),
  base_tested_at: base,
})

/** The server did not process the request, or its response did not arrive: it is sent again. */
const TRANSIENT_STATUSES = new Set([408, 425, 429])

/** Converts a reply that is not a success. Used for the other requests of the outbox, too. */
export function toFailureOutcome(batch: readonly OutboxEntry[], reply: FailedReply): BatchOutcome {
  const { message } = describeFailure(reply)
  if (reply.kind === 'unreachable') return { kind: 'retry', message, delayMs: null, hasFailed: false }
  const delayMs = parseRetryAfter(reply.headers.get('retry-after'), Date.now())
  if (reply.kind === 'unreadable') return { kind: 'retry', message, delayMs, hasFailed: false }
  if (reply.status === 401) return { kind: 'session-ended' }
  if (reply.status >= 500 || TRANSIENT_STATUSES.has(reply.status)) {
    return { kind: 'retry', message, delayMs, hasFailed: reply.status === 500 }
  }
  return all(batch, toRefusal(reply, batch.length))
}

function toRefusal(reply: ProblemReply, batchSize: number): EntryOutcome {
  const { status, problem } = reply
  const refuse = (kind: EntryProblem['kind'], message = problem.detail): EntryOutcome => ({
    kind: 'refused',
    problem: { kind, message, newer: null },
  })
  if (problem.code === 'run_completed') return refuse('run-completed', describeFailure(reply).message)
  if (problem.code === 'newer_result') {
    const { current } = problem as typeof problem & { current?: NewerResult }
    return { kind: 'newer', current: current ?? null }
  }
  if (status === 403) return refuse('forbidden')
  if (status === 404) return refuse('not-found')
  return batchSize > 1 ? { kind: 'alone' } : refuse('refused')
}

/** The bulk response has the first 1,000 characters of notes. */
const MAX_ERROR_NOTE_LENGTH = 1000

const toWholeResult = (current: NewerResult | undefined): NewerResult | null =>
  current === undefined || (current.note?.length ?? 0) >= MAX_ERROR_NOTE_LENGTH ? null : current

const all = (batch: readonly OutboxEntry[], outcome: EntryOutcome): BatchOutcome => ({
  kind: 'done',
  outcomes: new Map(batch.map((entry) => [entry.id, outcome])),
})

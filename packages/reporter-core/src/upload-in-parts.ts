import type { Client } from '@caseward/client'
import {
  getRun,
  type PartialReceipt,
  type Run,
  updateRun,
  type UploadReceipt,
  uploadResults,
} from '@caseward/client/endpoints'

import { toUploadFailure, isTooLarge, notCasewardFailure, DeliveryError } from './delivery-failure.ts'
import { assertRun } from './find-run.ts'
import { isRecord } from './parse-attempt.ts'
import type { ResultItem } from './build-results.ts'
import { splitRefusedPart, splitUpload } from './split-upload.ts'

export type Receipt = UploadReceipt | PartialReceipt

/** A re-run shard reopens a run that its shards have completed; others may complete it again in between. */
const MAX_REOPEN_ATTEMPTS = 5

/**
 * Uploads all results, in parts that the server takes, and smaller ones where a proxy takes less than that.
 * @param receipts gets the receipt of each part, also where a later one fails
 * @throws {DeliveryError} when a part is refused
 */
export async function uploadInParts(
  client: Client,
  run: Run,
  results: readonly ResultItem[],
  finishedAt: string,
  { receipts, signal }: { receipts: Receipt[]; signal: AbortSignal },
): Promise<void> {
  let parts = splitUpload(results)
  for (let items = parts.shift(); items !== undefined; items = parts.shift()) {
    const body = { run_id: run.id, results: items, finished_at: finishedAt }
    const reply = await upload(client, run, body, signal)
    if (reply.kind === 'success') {
      receipts.push(assertReceipt(reply.data))
      continue
    }
    const smaller = isTooLarge(reply) ? splitRefusedPart(items, parts) : null
    if (smaller === null) throw new DeliveryError(toUploadFailure(reply))
    parts = smaller
  }
}

interface Body {
  run_id: string
  results: ResultItem[]
  finished_at: string
}

async function upload(client: Client, run: Run, body: Body, signal: AbortSignal) {
  for (let reopened = 0; ; reopened += 1) {
    const reply = await client.call(uploadResults, { body, signal })
    const isCompleted = reply.kind === 'problem' && reply.problem.code === 'run_completed'
    if (!isCompleted || reopened === MAX_REOPEN_ATTEMPTS || !(await reopen(client, run, signal))) return reply
  }
}

const statuses = ['passed', 'failed', 'blocked', 'retest', 'not_tested'] as const

function assertReceipt(receipt: Receipt): Receipt {
  const { uploaded_count: uploaded, stats, ...rest } = receipt
  const errors: unknown = 'errors' in rest ? rest.errors : []
  const isReceipt =
    Number.isInteger(uploaded) &&
    isRecord(stats) &&
    statuses.every((status) => Number.isInteger(stats[status])) &&
    Array.isArray(errors) &&
    errors.every((one) => isRecord(one) && typeof one['test_case_id'] === 'string' && typeof one['error'] === 'string')
  if (!isReceipt) throw new DeliveryError(notCasewardFailure('no receipt'))
  return receipt
}

/** Reopens a run that was completed by its shards: this one runs again. What a person has closed stays closed. */
async function reopen(client: Client, { id }: Run, signal: AbortSignal): Promise<boolean> {
  const found = await client.call(getRun, { params: { run_id: id }, signal })
  if (found.kind !== 'success') return false
  const { expected_shards, shards_done } = assertRun(found.data.data)
  if (typeof expected_shards !== 'number' || shards_done.length < expected_shards) return false
  const reply = await client.call(updateRun, { params: { run_id: id }, body: { status: 'in_progress' }, signal })
  return reply.kind === 'success'
}

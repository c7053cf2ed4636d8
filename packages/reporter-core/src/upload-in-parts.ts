import type { Receipt } from '@caseward/ci-run/receipts'
import { areShardsDone, reopenRun } from '@caseward/ci-run/shards'
import type { Client } from '@caseward/client'
import {
  getRun,
  RESULT_STATUSES,
  type Run,
  type UploadBody,
  type UploadedTest,
  uploadResults,
} from '@caseward/client/endpoints'

import { toUploadFailure, isTooLarge, notCasewardFailure, DeliveryError } from './delivery-failure.ts'
import { assertRun } from './find-run.ts'
import { isRecord } from './parse-attempt.ts'
import { splitRefusedPart, splitUpload } from './split-upload.ts'

/** A shard that runs again reopens a completed run. Other shards may complete the run again before the upload. */
const MAX_REOPEN_ATTEMPTS = 5

/**
 * Uploads all tests in parts within the server's limits, or in smaller parts if a proxy has a lower limit. The errors
 * outside of tests go with the first part.
 * @param receipts receives the receipt of each part, even if a later part fails
 * @throws {DeliveryError} when a part is rejected
 */
export async function uploadInParts(
  client: Client,
  run: Run,
  tests: readonly UploadedTest[],
  { suite_errors, ...fields }: Omit<UploadBody, 'run_id' | 'format' | 'tests'>,
  { receipts, signal }: { receipts: Receipt[]; signal: AbortSignal },
): Promise<void> {
  let parts = splitUpload(tests)
  // Errors of an earlier delivery of the shard are replaced, also by none.
  if (parts.length === 0 && (suite_errors?.length ?? 0) > 0) parts.push([])
  for (let items = parts.shift(); items !== undefined; items = parts.shift()) {
    const isFirst = receipts.length === 0
    const body = {
      ...fields,
      run_id: run.id,
      format: 'tests' as const,
      tests: items,
      ...(isFirst ? { suite_errors } : {}),
    }
    const reply = await upload(client, run, body, signal)
    if (reply.kind === 'success') {
      receipts.push(assertReceipt(reply.data))
      continue
    }
    const smallerParts = isTooLarge(reply) ? splitRefusedPart(items, parts) : null
    if (smallerParts === null) throw new DeliveryError(toUploadFailure(reply))
    parts = smallerParts
  }
}

async function upload(client: Client, run: Run, body: UploadBody, signal: AbortSignal) {
  for (let reopened = 0; ; reopened += 1) {
    const reply = await client.call(uploadResults, { body, signal })
    const isCompleted = reply.kind === 'problem' && reply.problem.code === 'run_completed'
    if (!isCompleted || reopened === MAX_REOPEN_ATTEMPTS || !(await reopen(client, run, signal))) return reply
  }
}

/** @throws {DeliveryError} when the value is not a receipt */
function assertReceipt(receipt: Receipt): Receipt {
  const { uploaded_count: uploaded, stats, ...rest } = receipt
  const errors: unknown = 'errors' in rest ? rest.errors : []
  const isReceipt =
    Number.isInteger(uploaded) &&
    isRecord(stats) &&
    RESULT_STATUSES.every((status) => Number.isInteger(stats[status])) &&
    Array.isArray(errors) &&
    errors.every(
      (item) => isRecord(item) && typeof item['test_case_id'] === 'string' && typeof item['error'] === 'string',
    )
  if (!isReceipt) throw new DeliveryError(notCasewardFailure('no receipt'))
  return receipt
}

/** Reopens a run that was completed by its shards. A run that a user has completed stays completed. */
async function reopen(client: Client, { id }: Run, signal: AbortSignal): Promise<boolean> {
  const runReply = await client.call(getRun, { params: { run_id: id }, signal })
  if (runReply.kind !== 'success') return false
  if (!areShardsDone(assertRun(runReply.data.data))) return false
  const reply = await reopenRun(client, id, { signal })
  return reply.kind === 'success'
}

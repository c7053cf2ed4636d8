import type { Receipt } from '@caseward/ci-run/receipts'
import type { Client } from '@caseward/client'
import {
  RESULT_STATUSES,
  type Run,
  type UploadBody,
  type UploadedTest,
  uploadResults,
} from '@caseward/client/endpoints'

import { toUploadFailure, isTooLarge, notCasewardFailure, DeliveryError } from './delivery-failure.ts'
import { isRecord } from './parse-attempt.ts'
import { splitRefusedPart, splitUpload } from './split-upload.ts'

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
    const reply = await client.call(uploadResults, { body, signal })
    if (reply.kind === 'success') {
      receipts.push(assertReceipt(reply.data))
      continue
    }
    const smallerParts = isTooLarge(reply) ? splitRefusedPart(items, parts) : null
    if (smallerParts === null) throw new DeliveryError(toUploadFailure(reply))
    parts = smallerParts
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

import { BODY_LIMIT } from '@caseward/client/endpoints'

import type { LineError } from '@caseward/case-files/line-error'
import type { NewTestCase } from '@caseward/case-files/parse-test-case'

/** The number of test cases that the server creates in one request. */
const BATCH_SIZE = 100
/** Room for the rest of the request, and for the folder id of each test case. */
const ENVELOPE_BYTES = 1000
const FOLDER_BYTES = 60
const LIMIT_BYTES = BODY_LIMIT.standard - ENVELOPE_BYTES

const getByteLength = ({ body }: NewTestCase) => Buffer.byteLength(JSON.stringify(body)) + FOLDER_BYTES

/** Splits test cases into batches within the limits of one request. */
export function splitIntoBatches(testCases: readonly NewTestCase[]): NewTestCase[][] {
  const batches: NewTestCase[][] = []
  let batchBytes = 0
  for (const testCase of testCases) {
    const bytes = getByteLength(testCase)
    const batch = batches.at(-1)
    if (batch === undefined || batch.length === BATCH_SIZE || batchBytes + bytes > LIMIT_BYTES) {
      batches.push([testCase])
      batchBytes = bytes
    } else {
      batch.push(testCase)
      batchBytes += bytes
    }
  }
  return batches
}

/** Finds test cases that exceed the limit of one request. */
export function findOversized(testCases: readonly NewTestCase[]): LineError[] {
  return testCases
    .filter((testCase) => getByteLength(testCase) > LIMIT_BYTES)
    .map(({ line }) => ({ line, message: 'the test case exceeds the 1 MB request limit' }))
}

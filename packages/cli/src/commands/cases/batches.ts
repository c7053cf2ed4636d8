import { BODY_LIMIT } from '@caseward/client/endpoints'

import type { LineError } from './line-errors.ts'
import type { NewTestCase } from './parse-test-case.ts'

/** How many test cases the server makes at once. */
const BATCH = 100
/** What stands around the test cases in a request, with room for the ids of their folders. */
const ENVELOPE_BYTES = 1000
const FOLDER_BYTES = 60
const LIMIT_BYTES = BODY_LIMIT.standard - ENVELOPE_BYTES

const getByteLength = ({ body }: NewTestCase) => Buffer.byteLength(JSON.stringify(body)) + FOLDER_BYTES

/** Test cases as they fit into requests: a hundred to each, and no more bytes than the server takes. */
export function splitIntoBatches(cases: readonly NewTestCase[]): NewTestCase[][] {
  const batches: NewTestCase[][] = []
  let bytes = 0
  for (const one of cases) {
    const own = getByteLength(one)
    const batch = batches.at(-1)
    if (batch === undefined || batch.length === BATCH || bytes + own > LIMIT_BYTES) {
      batches.push([one])
      bytes = own
    } else {
      batch.push(one)
      bytes += own
    }
  }
  return batches
}

/** Test cases that fit into no request. */
export function findOversized(cases: readonly NewTestCase[]): LineError[] {
  return cases
    .filter((one) => getByteLength(one) > LIMIT_BYTES)
    .map(({ line }) => ({ line, message: 'the test case is larger than the 1 MB that the server takes at a time' }))
}

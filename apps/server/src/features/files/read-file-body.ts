import type { Readable } from 'node:stream'

import { incompleteBodyProblem } from '../../platform/http/collect-body.ts'
import { fileTooSlowProblem } from './file-problems.ts'

const RATE_CHECK_MS = 10_000
const MIN_BYTES_PER_CHECK = 10_240

/** Reads a body, and ends one that hardly arrives. The request stays open, so that the client receives the response. */
export async function* readFileBody(body: Readable): AsyncGenerator<Uint8Array> {
  let bytes = 0
  let bytesBefore = 0
  let isSlow = false
  const timer = setInterval(() => {
    isSlow = bytes - bytesBefore < MIN_BYTES_PER_CHECK
    bytesBefore = bytes
    if (isSlow) body.destroy()
  }, RATE_CHECK_MS)
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Uint8Array).length
      yield chunk as Uint8Array
    }
  } catch (error) {
    throw isSlow ? fileTooSlowProblem() : toBodyError(error)
  } finally {
    clearInterval(timer)
  }
}

/** An error of the connection, not one of the store. */
const toBodyError = (error: unknown): unknown =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes((error as NodeJS.ErrnoException).code ?? '')
    ? incompleteBodyProblem()
    : error

/** Reads a body that is not needed, so that the client receives the response. */
export async function dropFileBody(body: Readable): Promise<void> {
  for await (const _chunk of readFileBody(body));
}

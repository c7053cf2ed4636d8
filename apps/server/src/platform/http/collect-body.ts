import type { Readable } from 'node:stream'

import { bodyTooLargeProblem, invalidFieldProblem, type Problem } from './problems.ts'

/** A body that is being received. */
export interface BodyCollector {
  /** Resolves with the whole body. Rejects with 413 above the limit, and with 400 when the connection ends before. */
  body: Promise<Buffer>
  getReceivedBytes(): number
  /** Stops receiving. */
  cancel(problem: Problem): void
}

/** From this size on, the memory for a body is allocated once, so that it is not copied at the end. */
const PREALLOCATED_BYTES = 65_536

/**
 * Receives a body into one buffer. The stream stays open when it is not read to its end, so that the client still
 * receives the response.
 * @param declaredBytes the length that the client declares; null when it sends chunks
 */
export function collectBody(payload: Readable, declaredBytes: number | null, limit: number): BodyCollector {
  // Not a part of Node's pool, and the system provides its pages only as they are written.
  const allocated =
    declaredBytes !== null && declaredBytes > PREALLOCATED_BYTES ? Buffer.allocUnsafeSlow(declaredBytes) : null
  const chunks: Buffer[] = []
  let receivedBytes = 0
  let resolve: (body: Buffer) => void
  let reject: (error: Problem) => void
  const body = new Promise<Buffer>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })

  function receive(chunk: Buffer): void {
    if (receivedBytes + chunk.length > limit) {
      cancel(bodyTooLargeProblem(limit))
      return
    }
    if (allocated === null) chunks.push(chunk)
    else chunk.copy(allocated, receivedBytes)
    receivedBytes += chunk.length
  }

  function complete(): void {
    stopListening()
    const [first] = chunks
    if (allocated !== null) resolve(allocated.subarray(0, receivedBytes))
    else if (first !== undefined && chunks.length === 1) resolve(first)
    else resolve(Buffer.concat(chunks, receivedBytes))
  }

  function cancel(problem: Problem): void {
    stopListening()
    reject(problem)
  }

  // The client is gone and cannot read this, but a problem is not logged as a server error.
  const fail = () => cancel(incompleteBodyProblem())

  function stopListening(): void {
    payload.off('data', receive).off('end', complete).off('error', fail).off('close', fail)
  }

  if (payload.destroyed) fail()
  else payload.on('data', receive).on('end', complete).on('error', fail).on('close', fail)
  return { body, getReceivedBytes: () => receivedBytes, cancel }
}

export const incompleteBodyProblem = (): Problem =>
  invalidFieldProblem('', 'ended before it was complete', 'incomplete_body')

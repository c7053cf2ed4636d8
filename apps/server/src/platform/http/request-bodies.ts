import { webcrypto } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { getHeapStatistics } from 'node:v8'

import { IDEMPOTENCY_KEY_HEADER } from '@caseward/contract/idempotency'
import type { FastifyRequest } from 'fastify'

import { createMemoryPool, type MemoryPool, type ReleaseMemory } from '../memory-pool.ts'
import type { App } from './app.ts'
import { type BodyCollector, collectBody, incompleteBodyProblem } from './collect-body.ts'
import { bodyTooLargeProblem, serverBusyProblem } from './problems.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The memory that the body of the request takes; null when it has none. */
    bodyMemory: BodyMemory | null
    /** SHA-256 of the body as it was sent, of a request with an `Idempotency-Key`; null without a body. */
    bodyDigest: Buffer | null
  }
}

/** The shares of one request. All are given back together. */
interface BodyMemory {
  lane: Lane
  shares: ReleaseMemory[]
  /** How long the request has waited for memory. */
  waitedMs: number
}

/** Requests with bodies of a similar size. They wait for each other only. */
interface Lane {
  /** For the bytes of bodies. */
  receiving: MemoryPool
  /** For what becomes of the bytes: parsed values, rows to write, errors to return. */
  processing: MemoryPool
  /** The bodies that are being received. */
  arriving: Set<ArrivingBody>
}

interface ArrivingBody {
  collector: BodyCollector
  /** The size that is reserved for it. */
  bytes: number
  startedAt: number
  timeoutMs: number
}

/**
 * Bounds the memory of all request bodies together. A request that does not fit waits, before its body is read and again
 * before the body is processed. Nobody waits for the first while holding the second, so that no deadlock can occur.
 */
export interface RequestBodies {
  /**
   * Reads the body of a request.
   * @throws {Problem} 413 above the size limit of the route; 400 when the connection ends before the body does; 503 when
   *   no memory was free in time
   */
  read(request: FastifyRequest, payload: Readable): Promise<Buffer>
  /**
   * Waits until there is memory to process the body that was read.
   * @param bytes an estimate of all that processing the body allocates
   * @throws {Problem} 503 when no memory was free in time
   */
  reserveProcessing(request: FastifyRequest, bytes: number): Promise<void>
  /** Gives the memory of each request back when its handler has replied and the response is sent, or its client is gone. */
  releaseAfterResponses(app: App): void
}

export interface RequestBodySettings {
  /** The memory for all bodies in megabytes; null for a quarter of the heap. */
  bodyMemoryMb: number | null
  requestTimeoutSeconds: number
}

const MEBIBYTE = 1024 * 1024
const DEFAULT_SHARE_OF_HEAP = 1 / 4
/** Larger bodies have most of the memory, but cannot take the part of the smaller ones. */
const SMALL_BODY_BYTES = 65_536
const SMALL_BODY_SHARE = 1 / 4

const MAX_WAIT_MS = 5000
/** While requests wait, bodies that arrive too slowly are looked for this often. */
const SLOW_BODY_CHECK_MS = 1000
/** The part of the time for a request after which a body can be called slow: 10 s of 300 s. */
const SLOW_BODY_GRACE = 1 / 30

export function createRequestBodies({ bodyMemoryMb, requestTimeoutSeconds }: RequestBodySettings): RequestBodies {
  const totalBytes =
    bodyMemoryMb === null ? getHeapStatistics().heap_size_limit * DEFAULT_SHARE_OF_HEAP : bodyMemoryMb * MEBIBYTE
  const requestTimeoutMs = requestTimeoutSeconds * 1000
  const smallLane = createLane(totalBytes * SMALL_BODY_SHARE)
  const largeLane = createLane(totalBytes * (1 - SMALL_BODY_SHARE))

  return {
    async read(request, payload) {
      const limit = request.routeOptions.bodyLimit ?? 0
      const declaredBytes = getDeclaredLength(request)
      // Without a length, two half-received bodies could wait for each other: it takes what it may need at once.
      const reservedBytes = declaredBytes ?? limit
      if (reservedBytes > limit) throw bodyTooLargeProblem(limit)
      const lane = reservedBytes <= SMALL_BODY_BYTES ? smallLane : largeLane
      const memory: BodyMemory = { lane, shares: [], waitedMs: 0 }
      request.bodyMemory = memory
      await takeShare(memory, lane.receiving, reservedBytes, request)
      const collector = collectBody(payload, declaredBytes, limit)
      const body = { collector, bytes: reservedBytes, startedAt: performance.now(), timeoutMs: requestTimeoutMs }
      lane.arriving.add(body)
      const bytes = await collector.body.finally(() => lane.arriving.delete(body))
      if (request.headers[IDEMPOTENCY_KEY_HEADER] !== undefined) request.bodyDigest = await digest(bytes)
      return bytes
    },
    async reserveProcessing(request, bytes) {
      const memory = request.bodyMemory
      if (memory !== null) await takeShare(memory, memory.lane.processing, bytes, request)
    },
    releaseAfterResponses(app) {
      app.decorateRequest('bodyMemory', null)
      app.decorateRequest('bodyDigest', null)
      app.addHook('onSend', (request, reply, _payload, done) => {
        if (request.bodyMemory !== null) releaseWhenSent(request.bodyMemory, reply.raw, requestTimeoutMs)
        done()
      })
    },
  }
}

/** Ten megabytes take too long for the event loop. */
const digest = async (bytes: Buffer): Promise<Buffer> =>
  Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes as Buffer<ArrayBuffer>))

const createLane = (bytes: number): Lane => ({
  receiving: createMemoryPool(bytes / 2),
  processing: createMemoryPool(bytes / 2),
  arriving: new Set(),
})

/** Returns the length of a body that the client declares; null when the body is sent in chunks. */
function getDeclaredLength({ headers }: FastifyRequest): number | null {
  const length = headers['content-length']
  return length === undefined ? null : Number(length)
}

async function takeShare(memory: BodyMemory, pool: MemoryPool, bytes: number, request: FastifyRequest): Promise<void> {
  const share = pool.tryTake(bytes) ?? (await waitForShare(memory, pool, bytes, request))
  memory.shares.push(share)
}

/** @throws {Problem} 503 when the wait is over, 400 when the client is gone */
async function waitForShare(
  memory: BodyMemory,
  pool: MemoryPool,
  bytes: number,
  { raw: { socket } }: FastifyRequest,
): Promise<ReleaseMemory> {
  const startedAt = performance.now()
  const gone = new AbortController()
  const abort = () => gone.abort()
  socket.once('close', abort)
  if (socket.destroyed) abort()
  endSlowBodies(memory.lane)
  const slowBodyTimer = setInterval(endSlowBodies, SLOW_BODY_CHECK_MS, memory.lane)
  const share = await pool.take(bytes, { timeoutMs: MAX_WAIT_MS - memory.waitedMs, signal: gone.signal })
  clearInterval(slowBodyTimer)
  socket.off('close', abort)
  memory.waitedMs += performance.now() - startedAt
  if (share !== null) return share
  throw gone.signal.aborted ? incompleteBodyProblem() : serverBusyProblem()
}

/** Ends the bodies that would not be complete in time. Called only while other requests wait for their memory. */
function endSlowBodies({ arriving }: Lane): void {
  for (const { collector, bytes, startedAt, timeoutMs } of arriving) {
    const elapsed = (performance.now() - startedAt) / timeoutMs
    if (elapsed > SLOW_BODY_GRACE && collector.getReceivedBytes() < elapsed * bytes)
      collector.cancel(serverBusyProblem())
  }
}

/**
 * Gives memory back when the response is sent. Called when the handler has replied: the client may have gone long before,
 * but until now the handler was using the body.
 * @param timeoutMs the time in which the client must read the response
 */
function releaseWhenSent(memory: BodyMemory, response: ServerResponse, timeoutMs: number): void {
  const release = () => {
    for (const share of memory.shares.splice(0)) share()
  }
  if (response.destroyed) {
    release()
    return
  }
  const deadline = setTimeout(() => response.destroy(), timeoutMs).unref()
  response.once('close', () => {
    clearTimeout(deadline)
    release()
  })
}

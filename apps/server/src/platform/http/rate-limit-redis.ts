import type { FastifyBaseLogger } from 'fastify'
import type { Redis } from 'ioredis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'

import { withTimeout } from '../with-timeout.ts'
import type { CreateSharedLimiter, Limiter } from './rate-limit.ts'

/** How long one request waits for Redis. */
const REQUEST_TIMEOUT_MS = 500
const RETRY_MS = 1000
/** How long the start of the service waits for Redis. */
const START_TIMEOUT_MS = 1500

/** Rate limits that several servers share while Redis is available. Otherwise each server counts by itself. */
export interface SharedRateLimits {
  createLimiter: CreateSharedLimiter
  close(): void
}

/**
 * Connects to Redis. No failure of Redis keeps a server from starting or a request from being processed. After a failed
 * request Redis is not used until a probe on a new connection succeeds, so that only requests in flight wait for it.
 */
export async function connectToRedis(url: string, log: FastifyBaseLogger): Promise<SharedRateLimits> {
  const redis = await createRedisClient(url)
  const createRedisLimiter = (name: string, points: number, duration: number) =>
    new RateLimiterRedis({ storeClient: redis, keyPrefix: `caseward:${name}`, points, duration })

  let state: 'unknown' | 'redis' | 'local' | 'closed' = 'unknown'
  const { promise: stateIsKnown, resolve: resolveState } = createSignal()
  function useRedis() {
    if (state === 'closed') return
    if (state !== 'redis') log.info('using Redis for rate limits')
    state = 'redis'
    resolveState()
  }
  function useLocalLimits(error: unknown) {
    if (state === 'local' || state === 'closed') return
    log.warn({ reason: describeRedisError(error) }, 'Redis is unavailable: using local rate limits until it recovers')
    state = 'local'
    resolveState()
  }

  const probeLimiter = createRedisLimiter('probe', 1_000_000, 1)
  const { db = 0 } = redis.options
  async function probeRedis() {
    try {
      // When ioredis fails to select the database, it continues in database 0, which may belong to another program.
      if (db !== 0) await withTimeout(redis.select(db), REQUEST_TIMEOUT_MS)
      await withTimeout(probeLimiter.consume(''), REQUEST_TIMEOUT_MS)
      useRedis()
    } catch (error) {
      useLocalLimits(error)
      if (state !== 'closed') redis.disconnect(true)
    }
  }
  redis.on('ready', () => void probeRedis())
  redis.on('error', useLocalLimits)
  redis.on('close', () => useLocalLimits(new Error('The connection was closed')))
  await withTimeout(stateIsKnown, START_TIMEOUT_MS).catch(useLocalLimits)

  return {
    createLimiter(local) {
      const shared = createRedisLimiter(local.keyPrefix, local.points, local.duration)
      async function callLimiter<T>(call: (limiter: Limiter) => Promise<T>): Promise<T> {
        if (state !== 'redis') return await call(local)
        try {
          return await withTimeout(call(shared), REQUEST_TIMEOUT_MS)
        } catch (error) {
          if (error instanceof RateLimiterRes) throw error
          // The connection may be dead, or lead to a Redis that is no longer the primary.
          if (state === 'redis') redis.disconnect(true)
          useLocalLimits(error)
          return await call(local)
        }
      }
      return {
        points: local.points,
        consume: (key) => callLimiter((limiter) => limiter.consume(key)),
        get: (key) => callLimiter((limiter) => limiter.get(key)),
        // Redis may have become unavailable, or available, since the attempt was counted: one attempt too many is allowed.
        reward: (key) => callLimiter((limiter) => limiter.reward(key)),
      }
    },
    close() {
      state = 'closed'
      redis.disconnect()
    },
  }
}

async function createRedisClient(url: string): Promise<Redis> {
  // Loaded only with REDIS_URL, because the library takes memory.
  const ioredis = await import('ioredis')
  // Otherwise the compiler compares all commands of two kinds of clients, which takes seconds.
  return new ioredis.Redis<'legacy'>(url, {
    // The greeting of RESP3 contains the password, and older servers repeat unknown commands in their errors.
    protocol: 2,
    connectionName: 'caseward',
    disableClientInfo: true,
    connectTimeout: RETRY_MS,
    // For the commands on connecting; requests have a timeout of their own.
    commandTimeout: 10 * REQUEST_TIMEOUT_MS,
    disconnectTimeout: 100,
    retryStrategy: () => RETRY_MS,
    // A request must be counted at once, in Redis or by this server, and never later.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
  })
}

function createSignal(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}

/** Describes an error without secrets: of a message of Redis only the first word, because it may repeat the password. */
function describeRedisError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'ReplyError') return error.message.split(' ', 1)[0] ?? ''
  // A host with several addresses fails with an AggregateError, which has no message of its own.
  if ('code' in error) return error.message || String(error.code)
  // The second sentence of an error of ioredis may quote Redis.
  return error.message.split('. ', 1)[0] ?? ''
}

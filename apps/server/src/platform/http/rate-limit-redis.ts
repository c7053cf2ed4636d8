import type { FastifyBaseLogger } from 'fastify'
import { type RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'

import type { Limiter } from './rate-limit.ts'

/** How long Redis may keep one request waiting. */
const ANSWER_MS = 500
/** How often it is tried anew while it is of no use. */
const RETRY_MS = 1000
/** How long a start may wait for it. */
const START_MS = 1500

/** Buckets that several servers empty together, as long as Redis answers; each its own ones otherwise. */
export interface SharedBuckets {
  /** The bucket in Redis that goes by the name and size of this server's own. */
  share(own: RateLimiterMemory): Limiter
  close(): void
}

/**
 * Connects to Redis: whatever happens to it, servers start and requests go on. Once it has failed a request it is left
 * alone until a new connection counts a trial, so that only requests in flight have waited for it.
 */
export async function connectToRedis(url: string, log: FastifyBaseLogger): Promise<SharedBuckets> {
  // Not loaded by who runs a single server: it would cost memory for nothing.
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    // The newer protocol's greeting holds the password, and older servers repeat in their error what they do not know.
    protocol: 2,
    connectionName: 'caseward',
    disableClientInfo: true,
    connectTimeout: RETRY_MS,
    // For what is said on connecting, and a Redis that is about to answer need not be asked again; requests wait less.
    commandTimeout: 10 * ANSWER_MS,
    disconnectTimeout: 100,
    retryStrategy: () => RETRY_MS,
    // A request is counted now or by this server alone, never later.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
  })
  const inRedis = (name: string, points: number, duration: number) =>
    new RateLimiterRedis({ storeClient: redis, keyPrefix: `caseward:${name}`, points, duration })

  let state: 'unknown' | 'redis' | 'local' | 'closed' = 'unknown'
  let setKnown = () => {}
  const known = new Promise<void>((resolve) => {
    setKnown = resolve
  })
  function share() {
    if (state === 'closed') return
    if (state !== 'redis') log.info('requests are counted in Redis')
    state = 'redis'
    setKnown()
  }
  function useLocalLimits(error: unknown) {
    if (state === 'local' || state === 'closed') return
    log.warn(
      { reason: describeRedisError(error) },
      'Redis is of no use: this server counts requests by itself until it is',
    )
    state = 'local'
    setKnown()
  }

  const probeLimiter = inRedis('trial', 1_000_000, 1)
  const { db = 0 } = redis.options
  async function probeRedis() {
    try {
      // Where the client cannot have the database asked for it goes on in the first one, which may be somebody else's.
      if (db !== 0) await withTimeout(redis.select(db))
      await withTimeout(probeLimiter.consume(''))
      share()
    } catch (error) {
      useLocalLimits(error)
      if (state !== 'closed') redis.disconnect(true)
    }
  }
  redis.on('ready', () => void probeRedis())
  redis.on('error', useLocalLimits)
  redis.on('close', () => useLocalLimits(new Error('The connection was closed')))
  const late = setTimeout(() => useLocalLimits(new Error(TOO_LATE)), START_MS)
  await known
  clearTimeout(late)

  return {
    share(own) {
      const shared = inRedis(own.keyPrefix, own.points, own.duration)
      return {
        points: own.points,
        async consume(key) {
          if (state !== 'redis') return await own.consume(key)
          try {
            return await withTimeout(shared.consume(key))
          } catch (error) {
            if (error instanceof RateLimiterRes) throw error
            // A connection that hangs may be dead, and one that is refused may be to a Redis that no longer leads.
            if (state === 'redis') redis.disconnect(true)
            useLocalLimits(error)
            return await own.consume(key)
          }
        },
      }
    },
    close() {
      state = 'closed'
      redis.disconnect()
    },
  }
}

const TOO_LATE = 'It did not answer in time'

/** What Redis answers, unless that takes too long. */
function withTimeout<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // After a while in which this process was busy the answer may lie there unread. It is read before the next turn.
    const timer = setTimeout(() => setImmediate(() => reject(new Error(TOO_LATE))), ANSWER_MS)
    answer.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}

/** What went wrong, without a secret: of what Redis itself says only the first word, since it may repeat a password. */
function describeRedisError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'ReplyError') return error.message.split(' ', 1)[0] ?? ''
  // A name with several addresses fails with an error for each and no message of its own.
  if ('code' in error) return error.message || String(error.code)
  // The client's own: what comes after may quote Redis.
  return error.message.split('. ', 1)[0] ?? ''
}

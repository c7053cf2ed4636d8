import type { FastifyReply, FastifyRequest } from 'fastify'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

import { getClientKey } from './client-address.ts'
import { Problem } from './problems.ts'

export const MINUTE_SECONDS = 60
export const HOUR_SECONDS = 60 * 60

export type Limiter = Pick<RateLimiterAbstract, 'points' | 'consume' | 'get' | 'reward'>

/** Makes a limiter that several servers share out of one server's own. */
export type CreateSharedLimiter = (local: RateLimiterMemory) => Limiter

/** Creates a limiter of this server that allows so many requests for each key in a period, by default a minute. */
export const createLimiter = (name: string, requests: number, periodSeconds = MINUTE_SECONDS): RateLimiterMemory =>
  new RateLimiterMemory({ keyPrefix: name, points: requests, duration: periodSeconds })

/** A limit, and the key that something counts for. */
interface Counter {
  limiter: Limiter
  key: string
}

/**
 * Counts one request and sets the `RateLimit-*` headers.
 * @param reserve a limit for requests that the first one would refuse
 * @throws {Problem} 429 with `Retry-After` when the limit is reached
 */
export async function consumeRateLimit(
  limiter: Limiter,
  key: string,
  reply: FastifyReply,
  reserve?: Counter,
): Promise<void> {
  try {
    setHeaders(reply, limiter, await limiter.consume(key))
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    setHeaders(reply, limiter, error)
    if (reserve !== undefined && (await consume(reserve, [])) === null) return
    throw rateLimitProblem(getSecondsUntilReset(error), describeTooManyRequests)
  }
}

/**
 * Checks a limit without counting, for requests that count only when they fail.
 * @throws {Problem} 429 with `Retry-After` when the limit is reached
 */
export async function checkRateLimit(limiter: Limiter, key: string, reply: FastifyReply): Promise<void> {
  const state = await limiter.get(key)
  if (state === null || state.consumedPoints < limiter.points) return
  setHeaders(reply, limiter, state)
  throw rateLimitProblem(getSecondsUntilReset(state), describeTooManyRequests)
}

/**
 * Looks up a secret, such as a token. Only a lookup that finds nothing counts. Once the limit is reached, a secret that
 * was not valid lately could be a further guess, and is not looked up; clients with valid secrets behind the same address
 * continue to work.
 * @param request whose address lookups count for: it is only read when one counts, since nearly every request finds its secret
 * @param find calls `checkLimit` before it looks up a secret that was not valid lately
 * @throws {Problem} 429 with `Retry-After` when the limit is reached
 */
export async function limitFailedLookups<T>(
  limiter: Limiter,
  request: Pick<FastifyRequest, 'ip'>,
  reply: FastifyReply,
  find: (checkLimit: () => Promise<void>) => Promise<T | null>,
): Promise<T | null> {
  const found = await find(() => checkRateLimit(limiter, getClientKey(request.ip), reply))
  if (found === null) await consumeRateLimit(limiter, getClientKey(request.ip), reply)
  return found
}

const describeTooManyRequests = (wait: string) => `Too many requests. Try again in ${wait}.`

/** A limit of failed attempts. */
export interface FailureLimit extends Counter {
  /** A limit for attempts that this one would refuse: within it, they are made nevertheless. */
  reserve?: Counter
  /** Makes the detail of the problem. @param wait for example `43 seconds` */
  describe(wait: string): string
}

/**
 * Makes an attempt, such as checking a password, unless too many have failed. An attempt is counted before it is made, so
 * that parallel attempts cannot exceed a limit, and no longer once it has not failed.
 * @param attempt returns null when it failed; an error is no failure
 * @returns what the attempt returned
 * @throws {Problem} 429 with `Retry-After` and the `RateLimit-*` headers when a limit is reached
 */
export async function limitFailures<T>(
  limits: readonly FailureLimit[],
  reply: FastifyReply,
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  const counted: Counter[] = []
  let hasFailed = false
  try {
    for (const limit of limits) await countAttempt(limit, counted, reply)
    const result = await attempt()
    hasFailed = result === null
    return result
  } finally {
    if (!hasFailed) await Promise.all(counted.map(({ limiter, key }) => limiter.reward(key)))
  }
}

/** @param counted gets what is counted, also when the attempt is refused */
async function countAttempt(limit: FailureLimit, counted: Counter[], reply: FastifyReply): Promise<void> {
  const { limiter, reserve, describe } = limit
  const refusal = await consume(limit, counted)
  if (refusal === null || (reserve !== undefined && (await consume(reserve, counted)) === null)) return
  setHeaders(reply, limiter, refusal)
  throw rateLimitProblem(getSecondsUntilReset(refusal), describe)
}

/** Returns the state of a limit that is reached; null when the attempt is within it. */
async function consume(limit: Counter, counted: Counter[]): Promise<RateLimiterRes | null> {
  counted.push(limit)
  try {
    await limit.limiter.consume(limit.key)
    return null
  } catch (error) {
    if (error instanceof RateLimiterRes) return error
    throw error
  }
}

function rateLimitProblem(seconds: number, describe: (wait: string) => string): Problem {
  return new Problem(429, 'rate_limit_exceeded', describe(formatWait(seconds)), {
    headers: { 'retry-after': String(seconds) },
  })
}

function formatWait(seconds: number): string {
  if (seconds > 2 * MINUTE_SECONDS) return `${Math.ceil(seconds / MINUTE_SECONDS)} minutes`
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}

const getSecondsUntilReset = (state: RateLimiterRes) => Math.max(1, Math.ceil(state.msBeforeNext / 1000))

function setHeaders(reply: FastifyReply, limiter: Limiter, state: RateLimiterRes): void {
  void reply
    .header('ratelimit-limit', limiter.points)
    .header('ratelimit-remaining', state.remainingPoints)
    .header('ratelimit-reset', getSecondsUntilReset(state))
}

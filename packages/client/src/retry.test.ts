import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  bulkUpdateResults,
  createProject,
  createRun,
  deleteProject,
  getProject,
  listProjects,
  reportShardDone,
  updateProject,
  updateResult,
  uploadResults,
} from './endpoints.generated.ts'
import type { Unreachable } from './failure.ts'
import type { AnyReply } from './reply.ts'
import { canRetry, getRetryDelayMs, parseRetryAfter } from './retry.ts'

const idempotent = [
  listProjects,
  getProject,
  deleteProject,
  updateResult,
  uploadResults,
  bulkUpdateResults,
  reportShardDone,
]
const notIdempotent = [createProject, updateProject, createRun]

function createReply(status: number, reason: 'not-json' | 'truncated' = 'not-json', retryAfter?: string): AnyReply {
  const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter })
  return { kind: 'unreadable', reason, status, excerpt: '', location: null, headers }
}

function createProblem(code: string): AnyReply {
  const problem = { type: 'about:blank', title: 'Service Unavailable', status: 503, detail: 'Try again.', code }
  return { kind: 'problem', status: 503, problem, headers: new Headers() }
}

function createUnreachable(reason: Unreachable['reason'], mayHaveReachedServer: boolean): AnyReply {
  return { kind: 'unreachable', reason, mayHaveReachedServer, code: null, error: null, origin: null, proxy: null }
}

describe('canRetry', () => {
  it.each(idempotent)('returns true for $method $url when the request may have been processed', (endpoint) => {
    for (const status of [429, 502, 503, 504]) expect(canRetry(endpoint, createReply(status))).toBe(true)
    expect(canRetry(endpoint, createReply(200, 'truncated'))).toBe(true)
    expect(canRetry(endpoint, createUnreachable('connection-lost', true))).toBe(true)
  })

  it.each(notIdempotent)('returns false for $method $url when the request may have been processed', (endpoint) => {
    for (const status of [502, 503, 504]) expect(canRetry(endpoint, createReply(status))).toBe(false)
    expect(canRetry(endpoint, createReply(201, 'truncated'))).toBe(false)
    expect(canRetry(endpoint, createUnreachable('connection-lost', true))).toBe(false)
  })

  it.each(notIdempotent)('returns true for $method $url with an Idempotency-Key', (endpoint) => {
    for (const reply of [createReply(503), createReply(201, 'truncated'), createUnreachable('connection-lost', true)]) {
      expect(canRetry(endpoint, reply, { hasKey: true })).toBe(true)
    }
  })

  it('returns true while the first request with the key is in progress', () => {
    const problem = { type: 'about:blank', title: 'Conflict', status: 409, detail: '', code: 'request_in_progress' }
    const reply: AnyReply = { kind: 'problem', status: 409, problem, headers: new Headers({ 'retry-after': '1' }) }
    expect(canRetry(createProject, reply, { hasKey: true })).toBe(true)
  })

  it('returns true for creating a run only if it has a run key', () => {
    for (const reply of [createReply(503), createReply(201, 'truncated'), createUnreachable('connection-lost', true)]) {
      expect(canRetry(createRun, reply, { body: { name: 'Nightly', run_key: 'build-7' } })).toBe(true)
      expect(canRetry(createRun, reply, { body: { name: 'Nightly', run_key: undefined } })).toBe(false)
      expect(canRetry(createProject, reply, { body: { name: 'Nightly', run_key: 'build-7' } })).toBe(false)
    }
  })

  it.each(notIdempotent)('returns true for $method $url when the request was not processed', (endpoint) => {
    expect(canRetry(endpoint, createReply(429))).toBe(true)
    expect(canRetry(endpoint, createUnreachable('refused', false))).toBe(true)
    for (const code of ['server_busy', 'database_busy']) {
      expect([code, canRetry(endpoint, createProblem(code))]).toEqual([code, true])
    }
    expect(canRetry(endpoint, createProblem('database_unavailable'))).toBe(false)
  })

  it.each([200, 302, 400, 401, 403, 404, 409, 413, 422, 500])('returns false for status %i', (status) => {
    expect(canRetry(getProject, createReply(status))).toBe(false)
  })

  it('returns false for a TLS failure', () => {
    expect(canRetry(getProject, createUnreachable('tls', false))).toBe(false)
  })
})

describe('getRetryDelayMs', () => {
  const policy = { limit: 4, firstDelayMs: 500, longestDelayMs: 60_000 }

  it('doubles for each attempt, half of it random', () => {
    const least = [1, 2, 3, 4].map((attempt) => getRetryDelayMs(createReply(503), attempt, policy, 0))
    const most = [1, 2, 3, 4].map((attempt) => getRetryDelayMs(createReply(503), attempt, policy, 1))
    expect(least).toEqual([250, 500, 1000, 2000])
    expect(most).toEqual([500, 1000, 2000, 4000])
  })

  it('never exceeds the longest delay of the policy', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        expect(getRetryDelayMs(createReply(503), attempt, policy, random)).toBeLessThanOrEqual(policy.longestDelayMs)
      }),
    )
  })

  it('returns at least the Retry-After of the server', () => {
    expect(getRetryDelayMs(createReply(429, 'not-json', '12'), 1, policy, 0)).toBe(12_000)
    expect(getRetryDelayMs(createReply(429, 'not-json', '12'), 1, policy, 1)).toBe(12_500)
  })

  it('returns null when Retry-After exceeds the longest delay', () => {
    expect(getRetryDelayMs(createReply(503, 'not-json', '3600'), 1, policy, 0)).toBeNull()
  })
})

describe('parseRetryAfter', () => {
  const now = Date.parse('2026-11-21T09:30:00Z')

  it.each([
    ['0', 0],
    ['12', 12_000],
    [' 7 ', 7_000],
    ['Sat, 21 Nov 2026 09:30:41 GMT', 41_000],
    ['Sat, 21 Nov 2026 09:29:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['', null],
    [null, null],
  ])('parses %j as %j', (value, ms) => {
    expect(parseRetryAfter(value, now)).toBe(ms)
  })
})

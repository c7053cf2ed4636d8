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
import { canRetry, getRetryDelayMs, retryAfterMs } from './retry.ts'

const repeatable = [
  listProjects,
  getProject,
  deleteProject,
  updateResult,
  uploadResults,
  bulkUpdateResults,
  reportShardDone,
]
const notRepeatable = [createProject, updateProject, createRun]

function answered(status: number, reason: 'not-json' | 'truncated' = 'not-json', retryAfter?: string): AnyReply {
  const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter })
  return { kind: 'unreadable', reason, status, excerpt: '', location: null, headers }
}

function unreachable(reason: Unreachable['reason'], mayHaveReachedServer: boolean): AnyReply {
  return { kind: 'unreachable', reason, mayHaveReachedServer: mayHaveReachedServer, code: null, error: null }
}

describe('mayRetry', () => {
  it.each(repeatable)('sends $method $url again when it may have been lost on the way', (endpoint) => {
    for (const status of [429, 502, 503, 504]) expect(canRetry(endpoint, answered(status))).toBe(true)
    expect(canRetry(endpoint, answered(200, 'truncated'))).toBe(true)
    expect(canRetry(endpoint, unreachable('connection-lost', true))).toBe(true)
  })

  it.each(notRepeatable)(
    'never sends $method $url a second time when the first may have been acted upon',
    (endpoint) => {
      for (const status of [502, 503, 504]) expect(canRetry(endpoint, answered(status))).toBe(false)
      expect(canRetry(endpoint, answered(201, 'truncated'))).toBe(false)
      expect(canRetry(endpoint, unreachable('connection-lost', true))).toBe(false)
    },
  )

  it('asks again for a run with a key, which is made once', () => {
    for (const reply of [answered(503), answered(201, 'truncated'), unreachable('connection-lost', true)]) {
      expect(canRetry(createRun, reply, { name: 'Nightly', run_key: 'build-7' })).toBe(true)
      expect(canRetry(createRun, reply, { name: 'Nightly', run_key: undefined })).toBe(false)
      expect(canRetry(createProject, reply, { name: 'Nightly', run_key: 'build-7' })).toBe(false)
    }
  })

  it.each(notRepeatable)('sends $method $url again when the first was surely not acted upon', (endpoint) => {
    expect(canRetry(endpoint, answered(429))).toBe(true)
    expect(canRetry(endpoint, unreachable('refused', false))).toBe(true)
  })

  it.each([200, 302, 400, 401, 403, 404, 409, 413, 422, 500])('takes %i as the last word', (status) => {
    expect(canRetry(getProject, answered(status))).toBe(false)
  })

  it('does not knock again where TLS was refused', () => {
    expect(canRetry(getProject, unreachable('tls', false))).toBe(false)
  })
})

describe('pauseMs', () => {
  const policy = { limit: 4, firstDelayMs: 500, longestDelayMs: 60_000 }

  it('doubles from one attempt to the next, half of it left to chance', () => {
    const least = [1, 2, 3, 4].map((attempt) => getRetryDelayMs(answered(503), attempt, policy, 0))
    const most = [1, 2, 3, 4].map((attempt) => getRetryDelayMs(answered(503), attempt, policy, 1))
    expect(least).toEqual([250, 500, 1000, 2000])
    expect(most).toEqual([500, 1000, 2000, 4000])
  })

  it('is never longer than the longest', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        expect(getRetryDelayMs(answered(503), attempt, policy, random)).toBeLessThanOrEqual(policy.longestDelayMs)
      }),
    )
  })

  it('waits at least as long as the server asks', () => {
    expect(getRetryDelayMs(answered(429, 'not-json', '12'), 1, policy, 0)).toBe(12_000)
    expect(getRetryDelayMs(answered(429, 'not-json', '12'), 1, policy, 1)).toBe(12_500)
  })

  it('gives up when the server asks for longer than the longest', () => {
    expect(getRetryDelayMs(answered(503, 'not-json', '3600'), 1, policy, 0)).toBeNull()
  })
})

describe('retryAfterMs', () => {
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
  ])('reads %j as %j', (value, ms) => {
    expect(retryAfterMs(value, now)).toBe(ms)
  })
})

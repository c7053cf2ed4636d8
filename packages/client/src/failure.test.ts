import { describe, expect, it } from 'vitest'

import { describeFailure } from './failure.ts'

/** As Node's fetch throws it. */
const fetchFailed = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('cause'), { code }) })

describe('describeFailure', () => {
  it.each([
    ['ECONNREFUSED', 'refused', false],
    ['ENOTFOUND', 'unknown-host', false],
    ['EAI_AGAIN', 'unknown-host', false],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls', false],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', false],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls', false],
    ['UND_ERR_CONNECT_TIMEOUT', 'timed-out', false],
    ['UND_ERR_HEADERS_TIMEOUT', 'timed-out', true],
    ['ECONNRESET', 'connection-lost', true],
    ['UND_ERR_SOCKET', 'connection-lost', true],
    ['EHOSTUNREACH', 'network', false],
    ['ESOMETHING', 'network', true],
  ] as const)(
    'tells %s as %s, and whether the request may have arrived: %j %j',
    (code, reason, mayHaveReachedServer) => {
      expect(describeFailure(fetchFailed(code), false)).toMatchObject({ reason, mayHaveReachedServer, code })
    },
  )

  it('assumes the worst of what a browser says, which is nothing', () => {
    const error = new TypeError('Failed to fetch')
    expect(describeFailure(error, false)).toEqual({
      kind: 'unreachable',
      reason: 'network',
      mayHaveReachedServer: true,
      code: null,
      error,
    })
  })

  it('knows its own clock', () => {
    expect(describeFailure(new DOMException('aborted', 'AbortError'), true)).toMatchObject({
      reason: 'timed-out',
      mayHaveReachedServer: true,
    })
  })
})

import { describe, expect, it } from 'vitest'

import { toUnreachable } from './failure.ts'

/** Creates an error like those of Node's fetch. */
const createFetchError = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('cause'), { code }) })

describe('toUnreachable', () => {
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
  ] as const)('returns for %s the reason %s and mayHaveReachedServer: %j', (code, reason, mayHaveReachedServer) => {
    expect(toUnreachable(createFetchError(code), false)).toMatchObject({ reason, mayHaveReachedServer, code })
  })

  it('assumes that the request reached the server when the error has no code, as in browsers', () => {
    const error = new TypeError('Failed to fetch')
    expect(toUnreachable(error, false)).toEqual({
      kind: 'unreachable',
      reason: 'network',
      mayHaveReachedServer: true,
      code: null,
      error,
      origin: null,
      proxy: null,
    })
  })

  it.each([
    ['https://caseward.example.com/v1/results', 'https://caseward.example.com:443'],
    ['http://[::1]:3000/v1/results', 'http://[::1]:3000'],
    ['/v1/results', null],
  ])('returns the origin of %s', (url, origin) => {
    expect(toUnreachable(createFetchError('ECONNREFUSED'), false, url)).toMatchObject({ origin, proxy: null })
  })

  it('returns timed-out for the own timeout of the client', () => {
    expect(toUnreachable(new DOMException('aborted', 'AbortError'), true)).toMatchObject({
      reason: 'timed-out',
      mayHaveReachedServer: true,
    })
  })
})

import { ProxyError, type ProxyFailure } from './proxy-error.ts'

/**
 * There was no response.
 *
 * - `refused`: the connection was refused
 * - `unknown-host`: the host name was not found
 * - `tls`: the certificate is not trusted, or the server does not support TLS
 * - `timed-out`: there was no response in time
 * - `connection-lost`: the connection was lost before a response
 * - `network`: any other failure; browsers do not distinguish failures
 */
export interface Unreachable {
  readonly kind: 'unreachable'
  readonly reason: 'refused' | 'unknown-host' | 'tls' | 'timed-out' | 'connection-lost' | 'network'
  /** False if the request certainly did not reach the server. */
  readonly mayHaveReachedServer: boolean
  /** The code of the system, such as `ECONNREFUSED`; null if there is none. */
  readonly code: string | null
  /** The error that fetch threw. */
  readonly error: unknown
  /** Protocol, host and port of the server: `https://caseward.example.com:443`; null in a page that the server itself serves. */
  readonly origin: string | null
  /** The proxy that was used; null without one. */
  readonly proxy: ProxyFailure | null
}

type Reason = Unreachable['reason']

/** Codes of Node's sockets, DNS, TLS and undici (Node's fetch). Errors of browsers have no code. */
const reasonsByCode: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'unknown-host',
  ETIMEDOUT: 'timed-out',
  UND_ERR_CONNECT_TIMEOUT: 'timed-out',
  UND_ERR_HEADERS_TIMEOUT: 'timed-out',
  UND_ERR_BODY_TIMEOUT: 'timed-out',
  ECONNRESET: 'connection-lost',
  EPIPE: 'connection-lost',
  UND_ERR_SOCKET: 'connection-lost',
  CERT_HAS_EXPIRED: 'tls',
  CERT_NOT_YET_VALID: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  UNABLE_TO_GET_ISSUER_CERT: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls',
  ERR_SSL_WRONG_VERSION_NUMBER: 'tls',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'tls',
  EPROTO: 'tls',
}

const neverSentCodes = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])

/**
 * Converts an error of fetch into a reply.
 * @param timedOut whether the client's own timeout ended the attempt
 * @param url the address of the request
 */
export function toUnreachable(error: unknown, timedOut: boolean, url = ''): Unreachable {
  const code = findCode(error)
  const reason = timedOut ? 'timed-out' : ((code === null ? undefined : reasonsByCode[code]) ?? 'network')
  const proxy = error instanceof ProxyError ? error.proxy : null
  const wasNeverSent =
    (proxy !== null && proxy.problem !== null) ||
    reason === 'refused' ||
    reason === 'unknown-host' ||
    reason === 'tls' ||
    (code !== null && neverSentCodes.has(code))
  const mayHaveReachedServer = timedOut || !wasNeverSent
  return { kind: 'unreachable', reason, mayHaveReachedServer, code, error, origin: getOrigin(url), proxy }
}

function getOrigin(url: string): string | null {
  if (!/^https?:/.test(url)) return null
  const { hostname, port, protocol } = new URL(url)
  return `${protocol}//${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`
}

/** fetch throws a bare TypeError; the error with the code is one of its causes. */
function findCode(error: unknown): string | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code
  }
  return null
}

/**
 * Nobody answered.
 *
 * - `refused`: nothing listens there
 * - `unknown-host`: the name does not resolve
 * - `tls`: the certificate was not trusted, or the other side does not speak TLS
 * - `timed-out`: no answer in time
 * - `connection-lost`: it broke before an answer came
 * - `network`: anything else; all that a browser says
 */
export interface Unreachable {
  readonly kind: 'unreachable'
  readonly reason: 'refused' | 'unknown-host' | 'tls' | 'timed-out' | 'connection-lost' | 'network'
  /** False when it is certain that the server saw nothing of the request. */
  readonly mayHaveReachedServer: boolean
  /** The system's own word for it, such as `ECONNREFUSED`, where there is one. */
  readonly code: string | null
  /** What was thrown. */
  readonly error: unknown
}

type Reason = Unreachable['reason']

/** Codes of Node's sockets, DNS, and undici (the fetch of Node). Browsers give none. */
const reasons: Readonly<Record<string, Reason>> = {
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

/** Puts what fetch threw into words that a program can switch on. `timedOut`: our own clock ended the attempt. */
export function describeFailure(error: unknown, timedOut: boolean): Unreachable {
  const code = findCode(error)
  const reason = timedOut ? 'timed-out' : ((code === null ? undefined : reasons[code]) ?? 'network')
  const neverSent =
    reason === 'refused' || reason === 'unknown-host' || reason === 'tls' || (code !== null && neverSentCodes.has(code))
  return { kind: 'unreachable', reason, mayHaveReachedServer: timedOut || !neverSent, code, error }
}

/** fetch throws a bare TypeError; what happened hangs below it, as `cause`. */
function findCode(error: unknown): string | null {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string') return at.code
  }
  return null
}

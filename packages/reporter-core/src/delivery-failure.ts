import type { ProblemReply, Unreachable, Unreadable } from '@caseward/client'

/** Why a suite was not sent. */
export interface DeliveryFailure {
  /** A sentence for users. */
  readonly reason: string
  /** Whether sending it again would fail in the same way. */
  readonly isPermanent: boolean
  /** Whether other suites would fail now, too, for example because the server is unreachable or the token invalid. */
  readonly affectsAllSuites: boolean
}

/** Ends a delivery. */
export class DeliveryError extends Error {
  readonly failure: DeliveryFailure
  constructor(failure: DeliveryFailure) {
    super(failure.reason)
    this.failure = failure
  }
}

const TOO_LARGE = 413

/** Statuses that only a different request could avoid. */
const permanentStatuses = new Set([400, 404, TOO_LARGE, 415, 422])
const hasGlobalCause = (status: number) => status === 401 || status === 429 || status >= 500

const unreachableReasons: Record<Unreachable['reason'], string> = {
  refused: 'Connection refused by the server',
  'unknown-host': 'Server host name not found',
  tls: 'The server certificate is not trusted, or the server does not support TLS',
  'timed-out': 'The server did not respond in time',
  'connection-lost': 'The connection to the server was lost',
  network: 'The server is not reachable',
}

export function toDeliveryFailure(reply: ProblemReply | Unreadable | Unreachable): DeliveryFailure {
  if (reply.kind === 'unreachable') {
    const code = reply.code === null ? '' : ` (${reply.code})`
    return { reason: `${unreachableReasons[reply.reason]}${code}.`, isPermanent: false, affectsAllSuites: true }
  }
  if (reply.kind === 'problem') {
    const { status } = reply
    const detail: unknown = reply.problem.detail
    const reason = typeof detail === 'string' ? detail : 'The server rejected the request without a reason.'
    return { reason, isPermanent: permanentStatuses.has(status), affectsAllSuites: hasGlobalCause(status) }
  }
  if (reply.status === TOO_LARGE) {
    const reason =
      'A proxy rejected the upload because of its size (413). Allow requests of 10 MB; in nginx, client_max_body_size 10m.'
    return { reason, isPermanent: false, affectsAllSuites: false }
  }
  const redirect = reply.location === null ? '' : `, redirects to ${reply.location}`
  return notCasewardFailure(`${reply.reason}, ${reply.status}${redirect}`)
}

/**
 * Like `toDeliveryFailure` for an upload. An upload that is too large or causes a server error affects only its suite.
 */
export function toUploadFailure(reply: ProblemReply | Unreadable | Unreachable): DeliveryFailure {
  const failure = toDeliveryFailure(reply)
  const isCausedByUpload = isTooLarge(reply) || (reply.kind !== 'unreachable' && reply.status === 500)
  return { ...failure, affectsAllSuites: failure.affectsAllSuites && !isCausedByUpload }
}

export const isTooLarge = (reply: ProblemReply | Unreadable | Unreachable): boolean =>
  reply.kind !== 'unreachable' && reply.status === TOO_LARGE

/** A response that a Caseward server would not send. */
export const notCasewardFailure = (details: string): DeliveryFailure => ({
  reason: `The response is not from a Caseward server (${details}).`,
  isPermanent: false,
  affectsAllSuites: true,
})

import { describeProxyUse } from '@caseward/ci-run/describe-connection'
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

const unreachableReasons: Record<Unreachable['reason'], (server: string) => string> = {
  refused: (server) => `Connection refused by the server ${server}`,
  'unknown-host': (server) => `Server host name not found: ${server}`,
  tls: (server) => `The certificate of the server ${server} is not trusted, or it does not support TLS`,
  'timed-out': (server) => `The server ${server} did not respond in time`,
  'connection-lost': (server) => `The connection to the server ${server} was lost`,
  network: (server) => `The server ${server} is not reachable`,
}

function describeUnreachable(reply: Unreachable): string {
  const { reason, code, error, origin, proxy } = reply
  const server = origin ?? 'of SERVICE_URL'
  const isProxyProblem = proxy !== null && proxy.problem !== null
  const text = isProxyProblem ? `The server ${server} was not reached` : unreachableReasons[reason](server)
  const hint =
    reason === 'tls' && !isProxyProblem
      ? " If your company's own certificate authority issued it, set NODE_EXTRA_CA_CERTS to the PEM file of that authority."
      : ''
  // A malformed HTTPS_PROXY has no code, and its message says what to correct.
  if (error instanceof TypeError && error.message.startsWith('Invalid ')) return error.message
  return `${text}${code === null ? '' : ` (${code})`}.${hint} ${describeProxyUse(reply)}`
}

export function toDeliveryFailure(reply: ProblemReply | Unreadable | Unreachable): DeliveryFailure {
  if (reply.kind === 'unreachable') {
    return { reason: describeUnreachable(reply), isPermanent: false, affectsAllSuites: true }
  }
  if (reply.kind === 'problem') {
    const { status } = reply
    const detail: unknown = reply.problem.detail
    const text = typeof detail === 'string' ? detail : 'The server rejected the request without a reason.'
    const hint = getTokenHint(status, reply.problem.code)
    const reason = hint === null ? text : `${text.replace(/(?<![.!?…])$/, '.')} ${hint}`
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

/** Says which token is required. */
function getTokenHint(status: number, code: unknown): string | null {
  if (code === 'ci_token_required') {
    return 'SERVICE_TOKEN contains a personal token (cwp_…): use a CI token (cwc_…) of the project, which its admins create in the project settings.'
  }
  return status === 401 ? 'Check that SERVICE_TOKEN contains a complete CI token (cwc_…) of the project.' : null
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

import type { ProblemReply, Unreachable, Unreadable } from '@caseward/client'

/** Why something was not sent, in words for people. */
export interface DeliveryFailure {
  readonly reason: string
  /** Whether sending it again would end the same. */
  readonly isPermanent: boolean
  /** Whether any other suite would fare the same now: the server is out of reach, or does not know the token. */
  readonly affectsAllSuites: boolean
}

/** Thrown within a delivery, where something ends it. */
export class DeliveryError extends Error {
  readonly failure: DeliveryFailure
  constructor(failure: DeliveryFailure) {
    super(failure.reason)
    this.failure = failure
  }
}

const TOO_LARGE = 413

/** What a change of the request alone could mend: wrong input, something that is not there, too much at once. */
const isPermanent = new Set([400, 404, TOO_LARGE, 415, 422])
const affectsAllSuites = (status: number) => status === 401 || status === 429 || status >= 500

const unreachable: Record<Unreachable['reason'], string> = {
  refused: 'Nobody listens at the address of the server',
  'unknown-host': 'The name of the server is not known',
  tls: 'The certificate of the server is not trusted, or it does not speak TLS',
  'timed-out': 'The server did not answer in time',
  'connection-lost': 'The connection to the server broke',
  network: 'The server was not reached',
}

export function toDeliveryFailure(reply: ProblemReply | Unreadable | Unreachable): DeliveryFailure {
  if (reply.kind === 'unreachable') {
    const code = reply.code === null ? '' : ` (${reply.code})`
    return { reason: `${unreachable[reply.reason]}${code}.`, isPermanent: false, affectsAllSuites: true }
  }
  if (reply.kind === 'problem') {
    const { status } = reply
    const detail: unknown = reply.problem.detail
    const reason = typeof detail === 'string' ? detail : 'The server refused, and did not say why.'
    return { reason, isPermanent: isPermanent.has(status), affectsAllSuites: affectsAllSuites(status) }
  }
  if (reply.status === TOO_LARGE) {
    const reason =
      'A proxy before the server refused the upload for its size (413). Let it pass 10 MB: in nginx, client_max_body_size 10m.'
    return { reason, isPermanent: false, affectsAllSuites: false }
  }
  const where = reply.location === null ? '' : `, which points to ${reply.location}`
  return notCasewardFailure(`${reply.reason}, ${reply.status}${where}`)
}

/** Why results were not taken. What is refused for its size, or makes the server fail, says nothing of other suites. */
export function toUploadFailure(reply: ProblemReply | Unreadable | Unreachable): DeliveryFailure {
  const failure = toDeliveryFailure(reply)
  const isItsOwn = isTooLarge(reply) || (reply.kind !== 'unreachable' && reply.status === 500)
  return { ...failure, affectsAllSuites: failure.affectsAllSuites && !isItsOwn }
}

export const isTooLarge = (reply: ProblemReply | Unreadable | Unreachable): boolean =>
  reply.kind !== 'unreachable' && reply.status === TOO_LARGE

/** Something answered, but not as Caseward does. */
export const notCasewardFailure = (how: string): DeliveryFailure => ({
  reason: `Something that is not Caseward answered (${how}).`,
  isPermanent: false,
  affectsAllSuites: true,
})

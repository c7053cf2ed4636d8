import type { Client, Endpoint, Input, ProblemReply, Reply, Success, Unreachable, Unreadable } from '@caseward/client'

/** A reply that is not a success. */
export type FailedReply = ProblemReply | Unreadable | Unreachable

/** Thrown by queries and mutations. `describeFailure` makes the message for the user. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed'
  readonly reply: FailedReply

  constructor(reply: FailedReply) {
    super(reply.kind === 'problem' ? reply.problem.detail : `${reply.kind}: ${reply.reason}`)
    this.reply = reply
  }
}

type SuccessOf<E extends Endpoint> = Extract<Reply<E>, Success>

/**
 * Calls an endpoint for a query or mutation.
 * @returns the success: `data` is the body, and `status` narrows it
 * @throws {RequestFailed} for every other reply
 */
export async function request<const E extends Endpoint>(
  client: Pick<Client, 'call'>,
  endpoint: E,
  ...input: object extends Input<E> ? [input?: Input<E>] : [input: Input<E>]
): Promise<SuccessOf<E>> {
  const reply: Reply<Endpoint> = await client.call(endpoint, ...input)
  if (reply.kind === 'success') return reply
  throw new RequestFailed(reply)
}

import type { Client, Endpoint, Input, ProblemReply, Reply, Success, Unreachable, Unreadable } from '@caseward/client'

/** A reply that is not a success. */
export type FailedReply = ProblemReply | Unreadable | Unreachable

/** Thrown by queries and mutations. `describeFailure` makes the message for the user. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed'
  readonly reply: FailedReply
  /** Whether nothing was to be stored, so that nothing that was typed can be lost. */
  readonly isRead: boolean

  constructor(reply: FailedReply, isRead = false) {
    super(reply.kind === 'problem' ? reply.problem.detail : `${reply.kind}: ${reply.reason}`)
    this.reply = reply
    this.isRead = isRead
  }
}

type RefusalHandler = (status: number) => void
const refusalHandlers = new Set<RefusalHandler>()

/**
 * Registers what happens when the server refuses a request, whoever sent it: 401 if the session has ended, 403 if the user
 * may not do it any more.
 * @param handler called with the status
 * @returns a function that removes it
 */
export function onRefused(handler: RefusalHandler): () => void {
  refusalHandlers.add(handler)
  return () => refusalHandlers.delete(handler)
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
  if (reply.kind === 'problem') for (const handler of refusalHandlers) handler(reply.status)
  throw new RequestFailed(reply, endpoint.method === 'GET')
}

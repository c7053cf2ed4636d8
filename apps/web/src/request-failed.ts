import type { Client, Endpoint, Input, ProblemReply, Reply, Success, Unreachable, Unreadable } from '@caseward/client'
import type { ConfirmationMethod } from '@caseward/client/endpoints'

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

type RefusalHandler = (status: number, code: string) => void
const refusalHandlers = new Set<RefusalHandler>()

/**
 * Registers what happens when the server refuses a request, whoever sent it: 401 if the session has ended, 403 if the user
 * may not do it any more.
 * @param handler called with the status, and the code of the problem
 * @returns a function that removes it
 */
export function onRefused(handler: RefusalHandler): () => void {
  refusalHandlers.add(handler)
  return () => refusalHandlers.delete(handler)
}

type ConfirmationHandler = (methods: readonly ConfirmationMethod[]) => Promise<boolean>
let confirm: ConfirmationHandler | null = null

/**
 * Registers what asks the user to confirm who they are, when a request needs that.
 * @param handler returns whether the user has confirmed: then the request is sent again
 * @returns a function that removes it
 */
export function onConfirmationRequired(handler: ConfirmationHandler): () => void {
  confirm = handler
  return () => {
    if (confirm === handler) confirm = null
  }
}

type SuccessOf<E extends Endpoint> = Extract<Reply<E>, Success>

/**
 * Calls an endpoint for a query or mutation. If the user has to confirm who they are first, it asks, and calls again.
 * @returns the success: `data` is the body, and `status` narrows it
 * @throws {RequestFailed} for every other reply
 */
export async function request<const E extends Endpoint>(
  client: Pick<Client, 'call'>,
  endpoint: E,
  ...input: object extends Input<E> ? [input?: Input<E>] : [input: Input<E>]
): Promise<SuccessOf<E>> {
  let reply: Reply<Endpoint> = await client.call(endpoint, ...input)
  while (isConfirmationRequired(reply)) {
    const isConfirmed = (await confirm?.(reply.problem.confirmation_methods ?? [])) ?? false
    if (!isConfirmed) throw new RequestFailed(reply)
    reply = await client.call(endpoint, ...input)
  }
  if (reply.kind === 'success') return reply
  if (reply.kind === 'problem') for (const handler of refusalHandlers) handler(reply.status, reply.problem.code)
  throw new RequestFailed(reply, endpoint.method === 'GET')
}

/** The problem of endpoints that need a confirmation. */
type ConfirmationRequired = ProblemReply & {
  readonly problem: { readonly confirmation_methods?: ConfirmationMethod[] }
}

const isConfirmationRequired = (reply: Reply<Endpoint>): reply is ConfirmationRequired =>
  reply.kind === 'problem' && reply.problem.code === 'confirmation_required'

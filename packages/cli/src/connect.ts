import {
  createClient,
  type Client,
  type Refusal,
  type Retry,
  type Success,
  type Unreachable,
  type Unreadable,
} from '@caseward/client'

import { type Context, Failure } from './context.ts'
import { type About, explain } from './describe-failure.ts'
import { isFromCaseward } from './is-caseward-response.ts'
import type { Connection, ConnectionOptions } from './settings.ts'

/** A server to talk to, and what its settings were, so that a message can name the place to correct. */
export interface Session {
  readonly client: Client
  readonly connection: Connection
}

/**
 * Nothing is sent yet.
 * @throws {Failure} when the address or the token cannot be one
 */
export function connect(
  connection: Connection,
  { retries }: Pick<ConnectionOptions, 'retries'>,
  context: Context,
): Session {
  const onRetry = ({ reply, delayMs, attempt, attempts }: Retry) => {
    const seconds = Math.max(1, Math.round(delayMs / 1000))
    const [what] = explain(reply, connection, {})
    context.terminal.warn([`${what} Trying again in ${seconds} s (attempt ${attempt + 1} of ${attempts}).`])
  }
  try {
    const client = createClient({
      url: connection.url.value,
      token: connection.token.value,
      headers: { 'user-agent': context.userAgent },
      retries: { limit: retries },
      onRetry,
    })
    return { client, connection }
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error)
    throw new Failure([`${what} Check ${connection.url.from} and ${connection.token.from}.`], { code: 'settings' })
  }
}

type AnyReply = Success | Refusal | Unreadable | Unreachable

/**
 * The answer that was hoped for.
 * @param about what the request was about, for the words on what went wrong
 * @throws {Failure} when it is another
 */
export function expectSuccess<R extends AnyReply>(
  reply: R,
  { connection }: Session,
  about: About,
): Extract<R, { kind: 'success' }> {
  if (!isSuccess(reply)) throw asFailure(reply as Exclude<AnyReply, Success>, connection, about)
  if (isFromCaseward(reply.data)) return reply
  const { status, headers, data } = reply
  const excerpt = JSON.stringify(data).slice(0, 500)
  const other: Unreadable = { kind: 'unreadable', reason: 'other-shape', status, headers, excerpt, location: null }
  throw asFailure(other, connection, about)
}

export const asFailure = (reply: Exclude<AnyReply, Success>, connection: Connection, about: About): Failure =>
  new Failure(explain(reply, connection, about), { code: codeOf(reply) })

const isSuccess = <R extends AnyReply>(reply: R): reply is Extract<R, { kind: 'success' }> => reply.kind === 'success'

/** A stable word for a failure: the server's own, or the kind of trouble on the way to it. */
const codeOf = (reply: Exclude<AnyReply, Success>): string =>
  reply.kind === 'problem' ? reply.problem.code : reply.reason.replaceAll('-', '_')

import {
  createClient,
  type Client,
  type Refusal,
  type Retry,
  type Success,
  type Unreachable,
  type Unreadable,
} from '@caseward/client'

import { type Context, CommandError } from './context.ts'
import { type RequestSubject, describeFailure } from './describe-failure.ts'
import { isCasewardResponse } from './is-caseward-response.ts'
import type { Connection, ConnectionOptions } from './settings.ts'

/** A server to talk to, and what its settings were, so that a message can name the place to correct. */
export interface Session {
  readonly client: Client
  readonly connection: Connection
}

/**
 * Nothing is sent yet.
 * @throws {CommandError} when the address or the token cannot be one
 */
export function connect(
  connection: Connection,
  { retries }: Pick<ConnectionOptions, 'retries'>,
  context: Context,
): Session {
  const onRetry = ({ reply, delayMs, attempt, attempts }: Retry) => {
    const seconds = Math.max(1, Math.round(delayMs / 1000))
    const [what] = describeFailure(reply, connection, {})
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
    throw new CommandError([`${what} Check ${connection.url.from} and ${connection.token.from}.`], { code: 'settings' })
  }
}

type AnyReply = Success | Refusal | Unreadable | Unreachable

/**
 * The answer that was hoped for.
 * @param about what the request was about, for the words on what went wrong
 * @throws {CommandError} when it is another
 */
export function expectSuccess<R extends AnyReply>(
  reply: R,
  { connection }: Session,
  about: RequestSubject,
): Extract<R, { kind: 'success' }> {
  if (!isSuccess(reply)) throw toCommandError(reply as Exclude<AnyReply, Success>, connection, about)
  if (isCasewardResponse(reply.data)) return reply
  const { status, headers, data } = reply
  const excerpt = JSON.stringify(data).slice(0, 500)
  const other: Unreadable = { kind: 'unreadable', reason: 'unexpected-shape', status, headers, excerpt, location: null }
  throw toCommandError(other, connection, about)
}

export const toCommandError = (
  reply: Exclude<AnyReply, Success>,
  connection: Connection,
  about: RequestSubject,
): CommandError => new CommandError(describeFailure(reply, connection, about), { code: getReplyCode(reply) })

const isSuccess = <R extends AnyReply>(reply: R): reply is Extract<R, { kind: 'success' }> => reply.kind === 'success'

/** A stable word for a failure: the server's own, or the kind of trouble on the way to it. */
const getReplyCode = (reply: Exclude<AnyReply, Success>): string =>
  reply.kind === 'problem' ? reply.problem.code : reply.reason.replaceAll('-', '_')

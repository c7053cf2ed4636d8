import {
  createClient,
  type Client,
  type ProblemReply,
  type Retry,
  type Success,
  type Unreachable,
  type Unreadable,
} from '@caseward/client'
import { createProxyFetch } from '@caseward/client/proxy'

import { CommandError } from './command-error.ts'
import type { Context } from './context.ts'
import { type RequestSubject, describeFailure } from './describe-failure.ts'
import { isRecord } from './records.ts'
import type { ConnectionOptions, ServerSettings } from './settings.ts'
import { getErrorMessage } from './text.ts'

/** A client, and the settings it was made from, so that a message can name what to correct. */
export interface Connection {
  readonly client: Client
  readonly settings: ServerSettings
}

type FailedReply = ProblemReply | Unreadable | Unreachable

/**
 * Creates the client. Nothing is sent yet.
 * @throws {CommandError} when the address or the token is malformed
 */
export function connect(
  settings: ServerSettings,
  { retries }: Pick<ConnectionOptions, 'retries'>,
  { runtime, terminal, userAgent }: Context,
): Connection {
  const onRetry = ({ reply, delayMs, attempt, attempts }: Retry) => {
    const seconds = Math.max(1, Math.round(delayMs / 1000))
    const [what] = describeFailure(reply, settings, {})
    terminal.warn([`${what} Trying again in ${seconds} s (attempt ${attempt + 1} of ${attempts}).`])
  }
  try {
    const client = createClient({
      url: settings.url.value,
      token: settings.token.value,
      headers: { 'user-agent': userAgent },
      fetch: createProxyFetch(runtime.env),
      retries: { limit: retries },
      onRetry,
    })
    return { client, settings }
  } catch (error) {
    const message = `${getErrorMessage(error)} Check ${settings.url.from} and ${settings.token.from}.`
    throw new CommandError([message], { code: 'settings' })
  }
}

/**
 * Returns the reply if it is a success of Caseward.
 * @param subject what the request was about, for the error message
 * @throws {CommandError} when it is another reply
 */
export function expectSuccess<R extends Success | FailedReply>(
  reply: R,
  { settings }: Connection,
  subject: RequestSubject,
): Extract<R, { kind: 'success' }> {
  if (!isSuccess(reply)) throw toCommandError(reply as FailedReply, settings, subject)
  if (isCasewardResponse(reply.data)) return reply
  const { status, headers, data } = reply
  const excerpt = JSON.stringify(data).slice(0, 500)
  const other: Unreadable = { kind: 'unreadable', reason: 'unexpected-shape', status, headers, excerpt, location: null }
  throw toCommandError(other, settings, subject)
}

export const toCommandError = (reply: FailedReply, settings: ServerSettings, subject: RequestSubject): CommandError =>
  new CommandError(describeFailure(reply, settings, subject), { code: getReplyCode(reply) })

const isSuccess = <R extends Success | FailedReply>(reply: R): reply is Extract<R, { kind: 'success' }> =>
  reply.kind === 'success'

/** Returns a stable code of a failure: the server's own, or the kind of network failure. */
const getReplyCode = (reply: FailedReply): string =>
  reply.kind === 'problem' ? reply.problem.code : reply.reason.replaceAll('-', '_')

/**
 * Whether a response can be Caseward's: everything in `data` has an id, and a name or title. The client only checks the
 * outermost fields, which other services use as well.
 */
function isCasewardResponse(body: unknown): boolean {
  if (!isRecord(body)) return false
  const { data } = body
  return Array.isArray(data) ? data.every(isNamedItem) : isNamedItem(data)
}

const isNamedItem = (item: unknown): boolean =>
  isRecord(item) &&
  typeof item['id'] === 'string' &&
  [item['name'], item['title']].some((name) => typeof name === 'string')

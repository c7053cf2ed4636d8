import { parseRetryAfter } from './retry-after.ts'
import { type FailedReply, RequestFailed } from './request-failed.ts'

/** What a page shows when a request failed. */
export interface Failure {
  readonly kind:
    | 'unreachable'
    | 'too-many-requests'
    | 'server-error'
    | 'not-found'
    | 'forbidden'
    | 'session-ended'
    | 'invalid'
    | 'changed-meanwhile'
    | 'run-completed'
    | 'newer-result'
    | 'refused'
    | 'bug'
  /** One or two sentences: what happened, and what to do. */
  readonly message: string
  /** Whether the same request may succeed later: offer "Try again". */
  readonly canRetry: boolean
  /** When to try again, in milliseconds since 1970, for a countdown; null if unknown. */
  readonly retryAt: number | null
  /** For the server's administrator: offer "Copy". */
  readonly requestId: string | null
  /** Sentences by field, such as `title` or `steps/3/action`. */
  readonly fields: ReadonlyMap<string, string>
}

/** What was requested, for the message of a 404. */
export interface FailureContext {
  /** Without an article: "run", "test case". */
  readonly noun?: string
  /** In milliseconds since 1970. */
  readonly now?: number
  /** Whether the request should have stored something that the user has typed; by default for all but reads. */
  readonly hasInput?: boolean
}

const noFields: ReadonlyMap<string, string> = new Map()

/**
 * Describes why a request failed. This is the only function that turns replies into messages.
 * @param error what a query or mutation has thrown, or a reply
 */
export function describeFailure(error: unknown, context: FailureContext = {}): Failure {
  if (error instanceof RequestFailed) return describeReply(error.reply, { hasInput: !error.isRead, ...context })
  if (isReply(error)) return describeReply(error, context)
  // A mistake of the app itself, for which nobody can do anything but reload.
  return build('bug', 'Something went wrong in this page. Reload it; what you typed is kept.')
}

function describeReply(reply: FailedReply, context: FailureContext): Failure {
  // A read has nothing to keep.
  const advise = (whatToDo: string) => (context.hasInput === false ? whatToDo : 'What you typed is kept.')
  if (reply.kind === 'unreachable') {
    const message = `The server does not answer. ${advise('Check your connection, and try again.')}`
    return build('unreachable', message, { canRetry: true })
  }
  const retryAt = getRetryAt(reply.headers, context.now ?? Date.now())
  if (reply.kind === 'unreadable') {
    const message =
      reply.reason === 'redirect'
        ? `Something between you and the server asks you to sign in. Reload the page. ${advise('')}`
        : `The answer is not from Caseward, perhaps from a proxy. ${advise('Try again.')}`
    return build('unreachable', message.trim(), { canRetry: true, retryAt })
  }
  const { problem, status } = reply
  switch (status) {
    case 401:
      return build('session-ended', `Your session ended. Sign in to go on. ${advise('')}`.trim())
    case 403:
      return build('forbidden', problem.code === 'confirmation_required' ? UNCONFIRMED : problem.detail)
    case 404:
      return build('not-found', describeMissing(context.noun))
    case 409:
    case 412:
    case 422:
      return build(conflictKinds[problem.code] ?? 'refused', describeConflict(problem), {
        fields: getFields(reply.problem),
      })
    case 429:
      return build('too-many-requests', 'Too many requests.', { canRetry: true, retryAt })
    case 500:
      return build('server-error', describeServerError(problem.request_id, advise('Try again.')), {
        canRetry: true,
        requestId: problem.request_id ?? null,
      })
    case 502:
    case 503:
    case 504:
      return build('unreachable', problem.detail, { canRetry: true, retryAt })
    default: {
      const fields = getFields(problem)
      return build(fields.size > 0 ? 'invalid' : 'refused', problem.detail, { fields })
    }
  }
}

/** Formats the countdown of a failure that has `retryAt`: "Trying again in 12 s." @param now in milliseconds since 1970 */
export function formatCountdown(retryAt: number, now: number): string {
  const seconds = Math.ceil((retryAt - now) / 1000)
  return seconds <= 0 ? 'Trying again…' : `Trying again in ${seconds} s.`
}

/** The user has closed the question for a confirmation. */
const UNCONFIRMED = 'Nothing was changed, because you did not confirm that it is you. What you typed is kept.'

const conflictKinds: Readonly<Record<string, Failure['kind']>> = {
  changed_meanwhile: 'changed-meanwhile',
  run_completed: 'run-completed',
  newer_result: 'newer-result',
}

/** The message of the server names the request that reopens the run. */
const describeConflict = ({ code, detail }: { code: string; detail: string }): string =>
  code === 'run_completed' ? 'The run is completed. Reopen it to change its results.' : detail

function build(kind: Failure['kind'], message: string, more: Partial<Failure> = {}): Failure {
  return { kind, message, canRetry: false, retryAt: null, requestId: null, fields: noFields, ...more }
}

function describeMissing(noun = 'page'): string {
  return `This ${noun} does not exist, or it is in a project that you are not a member of. A member with the right to delete may have removed it.`
}

function describeServerError(requestId: string | undefined, advice: string): string {
  const message = `The server failed. ${advice}`
  return requestId === undefined ? message : `${message} Give the administrator this id: ${requestId}`
}

/** Turns JSON Pointers into names of fields: `/steps/3/action` → `steps/3/action`. The first message of a field counts. */
function getFields(problem: { errors?: readonly { path: string; message: string }[] }): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const { path, message } of problem.errors ?? []) {
    const name = path.replace(/^\//, '')
    if (!fields.has(name)) fields.set(name, toSentence(message))
  }
  return fields
}

/** Converts a message of the API, which continues the name of a field: "is too long" → "This is too long." */
const toSentence = (text: string) =>
  /^(?:is|are|was|has|must|can|cannot|may|does|contains|belongs) /.test(text)
    ? `This ${text}.`
    : `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

function getRetryAt(headers: Headers, now: number): number | null {
  const delayMs = parseRetryAfter(headers.get('retry-after'), now)
  return delayMs === null ? null : now + delayMs
}

function isReply(value: unknown): value is FailedReply {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    (value.kind === 'problem' || value.kind === 'unreadable' || value.kind === 'unreachable')
  )
}

import { describeProxyUse } from '@caseward/ci-run/describe-connection'
import type { ProblemReply, Unreachable, Unreadable } from '@caseward/client'
import { BODY_LIMIT } from '@caseward/client/endpoints'

import type { ServerSettings, Setting } from './settings.ts'
import { toTerminalText } from './text.ts'

type FailedReply = ProblemReply | Unreadable | Unreachable

/** What a request was about, and which setting named it. */
export interface RequestSubject {
  readonly run?: Setting | undefined
  readonly project?: Setting | undefined
  /** Whether the request uploads results, which requires a CI token. */
  readonly upload?: boolean
  /** A feature that older servers do not have, such as `shards`. */
  readonly feature?: string
  /** What the user knows the fields of the request as: by JSON Pointer, the option or the value. */
  readonly fieldLabels?: Readonly<Record<string, string>>
}

const UPLOAD_LIMIT_MB = BODY_LIMIT.upload / BODY_LIMIT.standard

/** Statuses that concern one file only, so that the next file may be stored. */
const perFileStatuses = new Set([400, 413, 422, 500])

/** Whether every file that follows would fail in the same way. */
export function affectsAllFiles(failure: FailedReply): boolean {
  return failure.kind === 'unreachable' || !perFileStatuses.has(failure.status)
}

/** Describes what happened, then what to do: one or more sentences per line. */
export function describeFailure(failure: FailedReply, settings: ServerSettings, subject: RequestSubject): string[] {
  if (failure.kind === 'problem') return describeProblem(failure, settings, subject)
  if (failure.kind === 'unreadable') return describeUnreadable(failure, settings)
  return describeUnreachable(failure, settings, subject)
}

function describeProblem(reply: ProblemReply, settings: ServerSettings, subject: RequestSubject): string[] {
  const { code, request_id: requestId } = reply.problem
  const hint = getHint(reply.status, code, settings, subject)
  return [
    ...getProblemLines(reply, subject),
    ...(hint === null ? [] : [hint]),
    ...(requestId === undefined ? [] : [`To find it in the server log, search for ${toTerminalText(requestId)}.`]),
  ]
}

function getProblemLines({ status, problem }: ProblemReply, { fieldLabels = {} }: RequestSubject): string[] {
  const { code, detail, errors = [] } = problem
  // The path of the error is a field of the request, which the user does not know: the file is named already.
  if (code === 'invalid_junit_xml') return errors.map(({ message }) => toTerminalText(message))
  // The detail repeats these errors, and may leave some out.
  if (status === 400 && errors.length > 0)
    return errors.map(({ path, message }) => `${toTerminalText(fieldLabels[path] ?? path)} ${toTerminalText(message)}`)
  return [`${toTerminalText(detail)} (${status} ${toTerminalText(code)})`]
}

/** Returns what to check in the user's own settings, which the server does not know. */
function getHint(status: number, code: string, { token, url }: ServerSettings, subject: RequestSubject): string | null {
  if (status === 401) {
    return `Check that ${token.from} contains the complete token. A project admin can create a new token in the project settings.`
  }
  if (code === 'ci_token_required') {
    return `${token.from} contains a personal token. Use a CI token (cwc_…) of the run's project instead; a project admin can create one in the project settings.`
  }
  if (code === 'personal_token_required') {
    return `${token.from} contains a CI token. Use a personal token (cwp_…) instead; you can create one at ${url.value}/account.`
  }
  if (code === 'grant_required') {
    return `To create test cases, ${token.from} must contain a CI token that may create them; a project admin can create one in the project settings.`
  }
  if (status === 403) {
    return subject.upload === true ? `Set ${token.from} to a CI token with write access to the run's project.` : null
  }
  if (code === 'no_such_endpoint') {
    if (subject.feature !== undefined)
      return `This server version does not support ${subject.feature}. Update the server.`
    return `Check ${url.from} (${url.value}): it must be the address of the web app.`
  }
  if (status === 404) return getNotFoundHint(token, url, subject)
  if (code === 'run_completed') {
    return subject.run === undefined ? 'Reopen the run.' : `Reopen the run, or set ${subject.run.from} to another run.`
  }
  if (status === 413)
    return `Configure the test tool to write smaller files: the limit is ${UPLOAD_LIMIT_MB} MB per upload.`
  if (status === 429) {
    return 'Other jobs may be using the same token. Use a separate token for each pipeline, or upload fewer, larger files.'
  }
  return null
}

function getNotFoundHint(token: Setting, url: Setting, { run, project }: RequestSubject): string | null {
  if (run !== undefined) {
    return `Check that ${run.from} (${toTerminalText(run.value)}) is a run of the project that ${token.from} belongs to, and that ${url.from} is the right server.`
  }
  if (project === undefined) return null
  return `Check that ${project.from} (${toTerminalText(project.value)}) is a project that ${token.from} has access to, and that ${url.from} is the right server.`
}

function describeUnreadable(reply: Unreadable, { url }: ServerSettings): string[] {
  const { status, location } = reply
  if (reply.reason === 'redirect') {
    const to = location === null ? 'another address' : toTerminalText(location).replace(/\/v1\/.*$/, '')
    return [
      `${url.value} redirects to ${to} (${status}).`,
      `If that is the address of Caseward, set ${url.from} to it. If it is a sign-in page, allow the pipeline to bypass it.`,
    ]
  }
  if (reply.reason === 'truncated') {
    return [
      `The connection to ${url.value} was lost while the response was read (${status}).`,
      'The results may have been stored. You can safely upload them again.',
    ]
  }
  if (status === 413) {
    return [
      `A proxy in front of ${url.value} rejected the file because it is too large (413).`,
      `Raise the limit of the proxy to ${UPLOAD_LIMIT_MB} MB; in nginx: client_max_body_size ${UPLOAD_LIMIT_MB}m.`,
    ]
  }
  if (status === 429) return [`A proxy in front of ${url.value} is limiting requests (429).`, 'Try again later.']
  if (status >= 500) {
    return [
      `A proxy in front of ${url.value} cannot reach Caseward (${status}).`,
      'Check that Caseward is running. If it is still starting, its log and /readyz say so.',
    ]
  }
  return [
    `${url.value} did not respond like Caseward (${status}): ${formatExcerpt(reply.excerpt)}`,
    `Check ${url.from}: it must be the address of the web app.`,
  ]
}

function describeUnreachable(
  failure: Unreachable,
  { url }: ServerSettings,
  { upload = false }: RequestSubject,
): string[] {
  const { reason, code, error, proxy } = failure
  const proxyUse = describeProxyUse(failure)
  const cause = code ?? getRootCauseMessage(error)
  const mayBeStored = upload ? ' The results may have been stored; you can safely upload them again.' : ''
  const lines: Record<Unreachable['reason'], string[]> = {
    refused: [
      `Connection refused by ${url.value} (${cause}).`,
      `Check that Caseward is running there, and that ${url.from} has the right host and port.`,
    ],
    'unknown-host': [
      `Host name of ${url.value} not found (${cause}).`,
      `Check ${url.from} for a typo, and the DNS settings of this machine.`,
    ],
    'timed-out': [`${url.value} did not respond in time.`, `Check for a firewall in between.${mayBeStored}`],
    tls: describeTlsFailure(cause, url),
    'connection-lost': [
      `The connection to ${url.value} was lost before it responded (${cause}).`,
      `If ${url.from} begins with http://, try https://.${mayBeStored}`,
    ],
    network: [`${url.value} is unreachable (${cause}).`, `Check ${url.from} and the network.`],
  }
  // Nothing is known about the server then.
  if (proxy !== null && proxy.problem !== null) return [`${url.value} was not reached (${cause}).`, proxyUse]
  return [...lines[reason], proxyUse]
}

function describeTlsFailure(cause: string, url: Setting): string[] {
  if (/^(?:ERR_SSL|EPROTO)/.test(cause)) {
    return [`${url.value} does not support TLS (${cause}).`, `If ${url.from} begins with https://, try http://.`]
  }
  return [
    `The certificate of ${url.value} is not trusted (${cause}).`,
    "If your company's own certificate authority issued it, set NODE_EXTRA_CA_CERTS to the PEM file of that authority.",
  ]
}

/** fetch throws a bare "fetch failed"; the reason is its innermost cause. */
function getRootCauseMessage(error: unknown): string {
  if (!(error instanceof Error)) return toTerminalText(String(error))
  return error.cause instanceof Error ? getRootCauseMessage(error.cause) : toTerminalText(error.message)
}

function formatExcerpt(excerpt: string): string {
  const text = toTerminalText(excerpt)
  if (text === '') return 'the response is empty'
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

import type { Refusal, Unreachable, Unreadable } from '@caseward/client'

import { LIMIT_BYTES } from './commands/upload/prepare-upload.ts'
import type { Connection, Setting } from './settings.ts'
import { toTerminalText } from './terminal.ts'

type FailedReply = Refusal | Unreadable | Unreachable

/** What a request was about, and where the user said so. */
export interface RequestSubject {
  readonly run?: Setting | undefined
  readonly project?: Setting | undefined
  /** It stores results, which only CI tokens may. */
  readonly upload?: boolean
  /** What only newer servers know, such as `shards`. */
  readonly since?: string
}

/** Statuses that speak of one file, so that the next one may fare better. */
const perFileStatuses = new Set([400, 413, 422, 500])

/** Whether a failure would only be repeated by the files that follow. */
export function affectsAllFiles(failure: FailedReply): boolean {
  return failure.kind === 'unreachable' || !perFileStatuses.has(failure.status)
}

/** What happened, and what to do about it: one sentence or more to a line. */
export function describeFailure(failure: FailedReply, connection: Connection, subject: RequestSubject): string[] {
  if (failure.kind === 'problem') return explainRefusal(failure, connection, subject)
  if (failure.kind === 'unreadable') return explainUnreadable(failure, connection)
  return explainUnreachable(failure, connection)
}

function explainRefusal({ status, problem }: Refusal, connection: Connection, subject: RequestSubject): string[] {
  const lines = getProblemLines({ status, problem })
  const hint = getHint(status, problem.code, connection, subject)
  if (hint !== null) lines.push(hint)
  if (problem.request_id !== undefined)
    lines.push(`It is in the server's log as request ${toTerminalText(problem.request_id)}.`)
  return lines
}

function getProblemLines({
  status,
  problem: { code, detail, errors = [] },
}: Pick<Refusal, 'status' | 'problem'>): string[] {
  // It speaks of a field of the request; to the user it is the file.
  if (code === 'invalid_junit_xml') return errors.map(({ message }) => `it ${toTerminalText(message)}`)
  // The detail is made of these, and may leave some out.
  if (status === 400 && errors.length > 0)
    return errors.map(({ path, message }) => `${toTerminalText(path)} ${toTerminalText(message)}`)
  return [`${toTerminalText(detail)} (${status} ${toTerminalText(code)})`]
}

/** Where in the user's own setup to look: that is what the server cannot know. */
function getHint(status: number, code: string, { token, url }: Connection, subject: RequestSubject): string | null {
  if (status === 401) {
    return `Check ${token.from}: the whole token, not revoked and not expired. A project admin makes a new one in the project's settings.`
  }
  if (code === 'ci_token_required') {
    return `${token.from} holds a personal token. Put a CI token (cwc_…) of the run's project there; a project admin makes one in the project's settings.`
  }
  if (code === 'personal_token_required') {
    return `${token.from} holds a CI token. Put a personal token (cwp_…) there; you make one at ${url.value}/account.`
  }
  if (status === 403) {
    return subject.upload === true ? `${token.from} needs a CI token with write access to the run's project.` : null
  }
  if (code === 'no_such_endpoint') {
    if (subject.since !== undefined)
      return `The server is older than this command and has no ${subject.since} yet: update it.`
    return `Check ${url.from} (${url.value}). It is the address at which the web app opens.`
  }
  if (status === 404) return getNotFoundHint(token, url, subject)
  if (code === 'run_completed') {
    return subject.run === undefined ? 'Reopen the run.' : `Reopen the run, or name another one in ${subject.run.from}.`
  }
  if (status === 413) return `Have the test tool write smaller files: the server takes ${megabytes()} MB at a time.`
  if (status === 429)
    return 'Other jobs may use the same token: give each pipeline its own, or upload fewer, larger files.'
  return null
}

function getNotFoundHint(token: Setting, url: Setting, { run, project }: RequestSubject): string | null {
  if (run !== undefined) {
    return `Check that ${run.from} (${toTerminalText(run.value)}) is a run of the project that ${token.from} belongs to, and that ${url.from} is the right server.`
  }
  if (project === undefined) return null
  return `Check that ${project.from} (${toTerminalText(project.value)}) is a project that ${token.from} reaches, and that ${url.from} is the right server.`
}

function explainUnreadable(reply: Unreadable, { url }: Connection): string[] {
  const { status, location } = reply
  if (reply.reason === 'redirect') {
    const to = location === null ? 'another address' : toTerminalText(location).replace(/\/v1\/.*$/, '')
    return [
      `${url.value} redirects to ${to} (${status}).`,
      `If that is Caseward, put that address into ${url.from}; if it is a page to sign in, the pipeline needs a way past it.`,
    ]
  }
  if (reply.reason === 'truncated') {
    return [
      `The connection to ${url.value} broke while the answer came (${status}).`,
      'The results may have been stored. Upload them again: that does no harm.',
    ]
  }
  if (status === 413) {
    return [
      `A proxy before ${url.value} refused the file for its size (413).`,
      `Let it pass ${megabytes()} MB: in nginx, client_max_body_size ${megabytes()}m.`,
    ]
  }
  if (status === 429) return [`A proxy before ${url.value} takes no more requests for now (429).`, 'Try again later.']
  if (status >= 500) {
    return [
      `A proxy before ${url.value} does not reach Caseward (${status}).`,
      'Is Caseward running? It may be starting; its log and /readyz tell.',
    ]
  }
  return [
    `${url.value} answered (${status}), but not as Caseward does: ${formatExcerpt(reply.excerpt)}`,
    `Check ${url.from}. It is the address at which the web app opens.`,
  ]
}

function explainUnreachable({ reason, code, error }: Unreachable, { url, unusedProxy }: Connection): string[] {
  const why = code ?? getRootCauseMessage(error)
  const again = 'What was sent may have been stored; sending it again does no harm.'
  const words: Record<Unreachable['reason'], string[]> = {
    refused: [
      `Nothing listens at ${url.value}.`,
      `Is Caseward running there, and is ${url.from} right, with its port?`,
    ],
    'unknown-host': [
      `The host of ${url.value} is not known here (${why}).`,
      `Check ${url.from} for a typo, and this machine's DNS.`,
    ],
    'timed-out': [`${url.value} did not answer in time.`, `Is a firewall in between? ${again}`],
    tls: explainTls(why, url),
    'connection-lost': [
      `The connection to ${url.value} broke before an answer came (${why}).`,
      `Does ${url.from} say http where it should say https? ${again}`,
    ],
    network: [`${url.value} could not be reached (${why}).`, `Check ${url.from} and the network.`],
  }
  if (unusedProxy === null) return words[reason]
  return [
    ...words[reason],
    `${unusedProxy} is set, but Node does not use it by itself: it does with NODE_USE_ENV_PROXY=1, from Node 22.21 and 24 on.`,
  ]
}

function explainTls(why: string, url: Setting): string[] {
  if (/^(?:ERR_SSL|EPROTO)/.test(why)) {
    return [
      `${url.value} does not speak TLS as it should (${why}).`,
      `Does ${url.from} say https where it should say http?`,
    ]
  }
  return [
    `The certificate of ${url.value} is not trusted here (${why}).`,
    "If it comes from your company's own authority, point NODE_EXTRA_CA_CERTS at the authority's PEM file.",
  ]
}

/** fetch itself only says that it failed; the reason hangs below. */
function getRootCauseMessage(error: unknown): string {
  if (!(error instanceof Error)) return toTerminalText(String(error))
  return error.cause instanceof Error ? getRootCauseMessage(error.cause) : toTerminalText(error.message)
}

function formatExcerpt(excerpt: string): string {
  const text = toTerminalText(excerpt)
  if (text === '') return 'with nothing at all'
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

function megabytes(): number {
  return LIMIT_BYTES / 1024 / 1024
}

import { setTimeout as sleep } from 'node:timers/promises'

import { pluralize } from '@caseward/ci-run/wording'

import { CommandError } from '../../../command-error.ts'
import { toTerminalText } from '../../../text.ts'
import { createLimiter } from './limiter.ts'

const MAX_REQUESTS = 4
const TIMEOUT_MS = 30_000
const MAX_ATTEMPTS = 6
/** How often a tool may ask to wait: it is only busy. */
const MAX_WAITS = 30
const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 60_000
const LONGEST_RETRY_AFTER_MS = 600_000
const MAX_REDIRECTS = 5
const EXCERPT_LENGTH = 200

export interface ToolRequest {
  /** Below the address of the tool. */
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly body?: string
  readonly contentType?: string
  /** Makes the headers that show who asks, for each attempt: for an address that has others than the tool. */
  readonly sign?: () => Readonly<Record<string, string>>
  /** A file may be at another host, where it is read without the secret. */
  readonly isFile?: boolean
}

/** How a tool is reached. */
export interface ToolAccess {
  /** The name of the tool in messages. */
  readonly title: string
  /** The address that paths are below, without a slash at the end. */
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  /** Headers that show who asks. They are sent to the tool's own address only. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>
  /** What must never be printed. */
  readonly secrets: readonly string[]
  /** What a refused secret needs, as a sentence. */
  readonly rights: string
  readonly warn: (lines: readonly string[]) => void
}

/** The tool refuses a request: 400, 403 or 404. Who asks for something optional can go on without. */
export class RefusedError extends CommandError {
  readonly status: number
  /** What the tool says. */
  readonly reason: string
  constructor(lines: readonly string[], status: number, reason: string) {
    super(lines, { code: status === 403 ? 'tool_forbidden' : 'tool_refused' })
    this.status = status
    this.reason = reason
  }
}

/** A failure after which another attempt may succeed. */
class TransientError extends Error {
  readonly delayMs: number | null
  constructor(message: string, delayMs: number | null = null) {
    super(message)
    this.delayMs = delayMs
  }
}

export interface ToolHttp {
  /** Reads JSON. @throws {CommandError} when the tool does not answer with JSON, also after retries */
  json(request: string | ToolRequest): Promise<unknown>
  /** Reads JSON, and headers that say where a list goes on. */
  jsonWithHeaders(request: string | ToolRequest): Promise<{ body: unknown; headers: Headers }>
  /** Reads a text, such as XML. */
  text(request: string | ToolRequest): Promise<string>
  /** Reads a body as a stream; `write` begins again after a failure. */
  download<T>(address: string, write: (body: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T>
  /** Replaces secrets in a text that is shown. */
  redact(text: string): string
}

type ReadBody<T> = (response: Response, where: string, signal: { refresh(): void }) => Promise<T>

/**
 * Creates the client for the API of another tool: four requests at once, half a minute each, with retries. Secrets are neither sent
 * to other hosts nor shown.
 */
export function createToolHttp(access: ToolAccess): ToolHttp {
  const { title, baseUrl, secrets, warn } = access
  const limit = createLimiter(MAX_REQUESTS)
  /** A request that must wait keeps the others waiting, too. */
  let pausedUntil = 0

  const redact = (text: string) =>
    secrets
      .filter((secret) => secret !== '')
      .reduce((shown, secret) => shown.replaceAll(secret, '…'), text)
      // A token that was made for one request.
      .replaceAll(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '…')
  const shorten = (text: string) =>
    redact(toTerminalText(text.slice(0, 2000)))
      .trim()
      .slice(0, EXCERPT_LENGTH)

  async function attempt<T>(request: ToolRequest, where: string, read: ReadBody<T>): Promise<T> {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(new Error(`no answer for ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS)
    try {
      const response = await followRedirects(request, where, controller.signal)
      if (!response.ok) throw await toError(response, where)
      // Azure DevOps asks to slow down before it refuses anything.
      const delayMs = Math.min(readRetryAfter(response.headers.get('retry-after')) ?? 0, LONGEST_DELAY_MS)
      pausedUntil = Math.max(pausedUntil, Date.now() + delayMs)
      return await read(response, where, timer)
    } catch (error) {
      if (error instanceof CommandError || error instanceof TransientError) throw error
      throw toPermanentError(error, where, title) ?? new TransientError(describeNetworkError(error))
    } finally {
      clearTimeout(timer)
      controller.abort()
    }
  }

  async function followRedirects(request: ToolRequest, where: string, signal: AbortSignal): Promise<Response> {
    const base = new URL(baseUrl)
    let url = new URL(request.path.includes('://') ? request.path : `${baseUrl}${request.path}`)
    // A file at another address is public, and needs no secret.
    const isForeign = url.origin !== base.origin && request.sign === undefined
    let headers: Readonly<Record<string, string>> = {
      ...(isForeign ? {} : await access.headers()),
      ...request.sign?.(),
      ...(request.contentType === undefined ? {} : { 'content-type': request.contentType }),
    }
    for (let count = 0; count < MAX_REDIRECTS; count += 1) {
      const { method = 'GET', body } = request
      const response = await access.fetch(url.href, {
        method,
        headers,
        redirect: 'manual',
        signal,
        ...(body === undefined ? {} : { body }),
      })
      const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
      if (location === null) return response
      await response.body?.cancel()
      const next = new URL(location, url)
      const keepsEncryption = next.protocol === url.protocol || next.protocol === 'https:'
      const isSafe = next.host === url.host && keepsEncryption
      if (!isSafe && keepsEncryption && request.isFile === true) headers = {}
      else if (!isForeign && !isSafe) {
        throw new CommandError(
          [
            `${where} redirects to ${toTerminalText(next.origin)}, which is refused: it would get your secret.`,
            `Give the address of the API itself: --url, now ${toTerminalText(baseUrl)}.`,
          ],
          { code: 'tool_redirect' },
        )
      }
      url = next
    }
    throw new CommandError([`${where} redirects again and again. Check --url.`], { code: 'tool_redirect' })
  }

  async function toError(response: Response, where: string): Promise<Error> {
    const { status } = response
    const reason = shorten(readReason(await response.text().catch(() => '')))
    const said = reason === '' ? '' : `: ${reason}`
    if (status === 429 || status >= 500) {
      return new TransientError(`${status}${said}`, readRetryAfter(response.headers.get('retry-after')))
    }
    if (status === 401) {
      return new CommandError([`${title} does not accept your credentials (401${said}).`, access.rights], {
        code: 'tool_unauthorized',
      })
    }
    const advice = status === 403 ? [access.rights] : status === 404 ? ['Check --url and the project.'] : []
    return new RefusedError([`${where} was refused (${status}${said}).`, ...advice], status, reason)
  }

  async function send<T>(asked: string | ToolRequest, read: ReadBody<T>): Promise<T> {
    const request = typeof asked === 'string' ? { path: asked } : asked
    const where = `${title}: ${request.method ?? 'GET'} ${redact(toTerminalText(request.path.slice(0, 300)))}`
    return await limit(async () => {
      for (let count = 1; ; count += 1) {
        if (pausedUntil > Date.now()) await sleep(pausedUntil - Date.now())
        try {
          return await attempt(request, where, read)
        } catch (error) {
          if (!(error instanceof TransientError)) throw error
          const doubled = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (count - 1))
          const delayMs = error.delayMs ?? doubled
          const max = error.delayMs === null ? MAX_ATTEMPTS : MAX_WAITS
          if (count >= max || delayMs > LONGEST_RETRY_AFTER_MS) {
            throw new CommandError(
              [
                `${where} failed after ${pluralize(count, 'attempt')}: ${shorten(error.message)}.`,
                'What was read is kept: the same command goes on there.',
              ],
              { code: 'tool_unavailable' },
            )
          }
          if (error.delayMs !== null) pausedUntil = Math.max(pausedUntil, Date.now() + delayMs)
          if (delayMs >= 5000) warn([`${title} asks to wait: going on in ${Math.ceil(delayMs / 1000)} s.`])
          await sleep(delayMs)
        }
      }
    })
  }

  const jsonWithHeaders: ToolHttp['jsonWithHeaders'] = (request) =>
    send(request, async (response, where) => {
      const body = await response.text()
      try {
        return { body: JSON.parse(body) as unknown, headers: response.headers }
      } catch {
        const isPage = /^\s*</.test(body)
        const what = isPage ? 'a web page, such as one to sign in,' : `“${shorten(body)}”`
        throw new CommandError(
          [`${where} was answered with ${what} instead of JSON.`, 'Check --url, and that the API is turned on.'],
          { code: 'tool_not_json' },
        )
      }
    })
  const text: ToolHttp['text'] = (request) => send(request, (response) => response.text())
  return {
    text,
    redact,
    jsonWithHeaders,
    json: async (request) => (await jsonWithHeaders(request)).body,
    download: (address, write) =>
      send({ path: address, isFile: true }, (response, _, timer) =>
        write(
          (async function* () {
            for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
              timer.refresh()
              yield piece
            }
          })(),
        ),
      ),
  }
}

/** Tools say why in one of these fields. */
function readReason(body: string): string {
  try {
    const json = JSON.parse(body) as Readonly<Record<string, unknown>> | null
    const said = ['error', 'errorMessage', 'message']
      .map((name) => json?.[name])
      .find((value) => typeof value === 'string')
    return typeof said === 'string' ? said : body
  } catch {
    return /^\s*</.test(body) ? 'a web page' : body
  }
}

function readRetryAfter(header: string | null): number | null {
  if (header === null) return null
  const seconds = Number(header)
  const delayMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(delayMs) ? null : Math.max(0, delayMs)
}

/** What waiting does not change: a certificate that is not trusted, and a host that does not exist. */
function toPermanentError(error: unknown, where: string, title: string): CommandError | null {
  const codes: string[] = []
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') codes.push(cause.code)
  }
  const certificate = codes.find((code) => /CERT|SIGNED|VERIFY|ERR_TLS/.test(code))
  if (certificate !== undefined) {
    return new CommandError(
      [
        `${where} failed: the certificate is not trusted (${certificate}).`,
        `Give the certificates that ${title} has: --ca FILE.`,
      ],
      { code: 'tool_certificate' },
    )
  }
  if (!codes.includes('ENOTFOUND')) return null
  return new CommandError([`${where} failed: the host was not found. Check --url.`], { code: 'tool_not_found' })
}

/** `fetch failed` says nothing: its cause does. */
function describeNetworkError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return cause.message || ('code' in cause ? String(cause.code) : error.message)
}

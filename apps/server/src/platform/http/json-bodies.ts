import { isUtf8 } from 'node:buffer'

import type { FastifyRequest } from 'fastify'

import { yieldToEventLoop } from '../yielder.ts'
import type { App } from './app.ts'
import { isWriteMethod } from './methods.ts'
import { invalidFieldProblem, unsupportedCharsetProblem, unsupportedEncodingProblem } from './problems.ts'

/** Above this size other requests run between the steps of reading a body. */
const LARGE_BODY_CHARACTERS = 262_144

/** The spellings of a key that would change a prototype. */
const PROTOTYPE_KEY_MARKERS = ['__proto__', 'constructor', '\\u'] as const

/**
 * Registers the parser of JSON bodies. Many clients send a content type without a body (with a DELETE, for example),
 * which is not invalid JSON. Compressed bodies are rejected. Keys that would change a prototype are dropped, as are all
 * unknown keys.
 */
export function parseJsonBodies(app: App): void {
  const parseWithFastify = app.getDefaultJsonParser('remove', 'remove')
  const parseSafely = (request: FastifyRequest, text: string) =>
    new Promise<unknown>((resolve, reject) => {
      void parseWithFastify(request, text, (error, body) => (error === null ? resolve(body) : reject(error)))
    })
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (!isWriteMethod(request.method)) {
      // Fastify reads no body of these.
      done()
      return
    }
    if (declaresNoBody(request)) {
      request.headers = NO_BODY
      done()
      return
    }
    const encoding = request.headers['content-encoding'] ?? 'identity'
    done(encoding === 'identity' ? null : unsupportedEncodingProblem())
  })

  async function parse(request: FastifyRequest, text: string): Promise<unknown> {
    if (text.length === 0) return undefined
    const isLarge = text.length > LARGE_BODY_CHARACTERS
    if (isLarge) await yieldToEventLoop()
    const hasPrototypeKey = PROTOTYPE_KEY_MARKERS.some((marker) => text.includes(marker))
    if (isLarge) await yieldToEventLoop()
    // The safe parser takes twice as long, and reports what is invalid.
    const body = (hasPrototypeKey ? undefined : parseJson(text)) ?? (await parseSafely(request, text))
    if (isLarge) await yieldToEventLoop()
    return body
  }
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request: FastifyRequest, bytes: Buffer) =>
    // Two functions, because a single one would keep the bytes in memory as long as the text.
    decode(request, bytes).then((text) => parse(request, text)),
  )
}

/** @throws {Problem} 415 when the body declares another encoding than UTF-8, 400 when it has another one */
async function decode(request: FastifyRequest, bytes: Buffer): Promise<string> {
  if (!declaresUtf8(request)) throw unsupportedCharsetProblem()
  // A decoder would replace invalid bytes by U+FFFD, which would then be stored.
  if (!isUtf8(bytes)) throw invalidFieldProblem('', 'is not UTF-8', 'invalid_json')
  if (bytes.length > LARGE_BODY_CHARACTERS) await yieldToEventLoop()
  return bytes.toString()
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i

/** JSON without a charset is UTF-8 (RFC 8259). */
const declaresUtf8 = ({ headers: { 'content-type': type = '' } }: FastifyRequest): boolean =>
  /^utf-?8$/i.test(CHARSET.exec(type)?.[1] ?? 'utf-8')

/**
 * An endpoint of the API without a body ignores one of any type, as every GET does: clients send `{}` or the media type
 * of a form with a DELETE.
 */
const declaresNoBody = ({ routeOptions: { url, schema } }: FastifyRequest): boolean =>
  url?.startsWith('/v1') === true && schema?.body === undefined

/** Overrides of the headers of a request whose body is ignored. */
const NO_BODY = { 'content-type': undefined, 'content-length': undefined, 'transfer-encoding': undefined }

/** Returns undefined for invalid JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

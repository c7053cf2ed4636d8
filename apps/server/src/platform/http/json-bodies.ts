import { isUtf8 } from 'node:buffer'

import type { FastifyRequest } from 'fastify'

import { invalidFieldProblem, unsupportedCharsetProblem, unsupportedEncodingProblem } from './problems.ts'
import { yieldToEventLoop } from '../yielder.ts'
import { isWriteMethod } from './methods.ts'
import type { App } from './app.ts'

/** From how many bytes on other requests get a turn between the steps that a body goes through. */
const LARGE_BODY_CHARACTERS = 262_144

/** How a key that would reach into prototypes might be written. */
const PROTOTYPE_KEY_MARKERS = ['__proto__', 'constructor', '\\u'] as const

/**
 * Reads JSON bodies. Many clients send the header without a body (a DELETE, say): that is no body, not bad JSON. What is
 * compressed is taken nowhere. Keys that would reach into prototypes are dropped, as all are that the service does not
 * know.
 */
export function parseJsonBodies(app: App): void {
  const parse = app.getDefaultJsonParser('remove', 'remove')
  const carefully = (request: FastifyRequest, text: string) =>
    new Promise<unknown>((resolve, reject) => {
      void parse(request, text, (error, body) => (error === null ? resolve(body) : reject(error)))
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

  async function read(request: FastifyRequest, text: string): Promise<unknown> {
    if (text.length === 0) return undefined
    const isLarge = text.length > LARGE_BODY_CHARACTERS
    if (isLarge) await yieldToEventLoop()
    // The careful parser takes twice as long, and tells what is wrong.
    const isPlain = !PROTOTYPE_KEY_MARKERS.some((suspect) => text.includes(suspect))
    if (isLarge) await yieldToEventLoop()
    const body = (isPlain ? parsed(text) : undefined) ?? (await carefully(request, text))
    if (isLarge) await yieldToEventLoop()
    return body
  }
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request: FastifyRequest, bytes: Buffer) =>
    // One after the other, and not in one function, which would hold the bytes as long as the text.
    decoded(request, bytes).then((text) => read(request, text)),
  )
}

/** @throws {Problem} 415 when it says to be in another encoding than UTF-8; 400 when it is */
async function decoded(request: FastifyRequest, bytes: Buffer): Promise<string> {
  if (!declaresUtf8(request)) throw unsupportedCharsetProblem()
  // A decoder alone would put U+FFFD in place of what it cannot read, and that would be stored.
  if (!isUtf8(bytes)) throw invalidFieldProblem('', 'is not UTF-8', 'invalid_json')
  if (bytes.length > LARGE_BODY_CHARACTERS) await yieldToEventLoop()
  return bytes.toString()
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i

/** JSON that says nothing of its encoding is UTF-8 (RFC 8259). */
const declaresUtf8 = ({ headers: { 'content-type': type = '' } }: FastifyRequest): boolean =>
  /^utf-?8$/i.test(CHARSET.exec(type)?.[1] ?? 'utf-8')

/**
 * An endpoint of the API without a body ignores one of any type, as every GET does: clients send `{}` or the media type of
 * a form with a DELETE.
 */
const declaresNoBody = ({ routeOptions: { url, schema } }: FastifyRequest): boolean =>
  url?.startsWith('/v1') === true && schema?.body === undefined

/** Headers of a request without a body, which Fastify lays over those that came. */
const NO_BODY = { 'content-type': undefined, 'content-length': undefined, 'transfer-encoding': undefined }

/** Undefined for what is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

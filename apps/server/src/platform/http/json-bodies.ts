import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'

import type { FastifyRequest } from 'fastify'

import { createYielder, waitInLongRound } from '../yielder.ts'
import type { App } from './app.ts'
import { createJsonScanner, type JsonScanner } from './json-scanner.ts'
import { isWriteMethod } from './methods.ts'
import { parseJsonSlices } from './parse-json-slices.ts'
import { invalidFieldProblem, unsupportedCharsetProblem, unsupportedEncodingProblem } from './problems.ts'
import type { RequestBodies } from './request-bodies.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body is a file, which is no part of the schema. */
    receivesFile?: boolean
  }
}

/** Up to this size, parsing and validating a valid body takes no time worth measuring. */
const TINY_BODY_BYTES = 4096
/** Above this size other requests run between the steps of parsing a body. */
const LARGE_BODY_BYTES = 262_144
/** Scanned in less than a millisecond. */
const SCAN_SLICE_BYTES = 262_144

/** The spellings of a key that would change a prototype. */
const PROTOTYPE_KEY_MARKERS = ['__proto__', 'constructor', '\\u'] as const

/**
 * Registers the parser of JSON bodies. Many clients send a content type without a body (with a DELETE, for example),
 * which is not invalid JSON. Compressed bodies are rejected. Keys that would change a prototype are dropped, as are all
 * unknown keys. JSON that would take too much memory or time is refused before it is parsed.
 */
export function parseJsonBodies(app: App, requestBodies: RequestBodies): void {
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

  const parseText = async (request: FastifyRequest, text: string): Promise<unknown> => {
    const hasPrototypeKey = PROTOTYPE_KEY_MARKERS.some((marker) => text.includes(marker))
    // The safe parser takes twice as long, and reports what is invalid.
    return (hasPrototypeKey ? undefined : parseJson(text)) ?? (await parseSafely(request, text))
  }

  async function parseBody(request: FastifyRequest, bytes: Buffer): Promise<unknown> {
    if (bytes.length === 0) return undefined
    const isTiny = bytes.length <= TINY_BODY_BYTES
    if (!isTiny) await waitInLongRound()
    // A decoder would replace invalid bytes by U+FFFD, which would then be stored.
    if (!isUtf8(bytes)) throw invalidFieldProblem('', 'is not UTF-8', 'invalid_json')
    const scanner = createJsonScanner(bytes)
    const isLarge = bytes.length > LARGE_BODY_BYTES
    if (isLarge) await scanInSlices(scanner, bytes.length)
    else scanner.scanTo(bytes.length)
    await requestBodies.reserveProcessing(request, estimateMemory(bytes.length, scanner.getValueCount()))
    // The response to one request gives memory to the next one, and so on in the same round.
    if (!isTiny) await waitInLongRound()
    return await (isLarge
      ? parseJsonSlices(bytes, scanner, (text) => parseText(request, text))
      : parseText(request, bytes.toString()))
  }

  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    if (!declaresUtf8(request)) throw unsupportedCharsetProblem()
    return await parseBody(request, await requestBodies.read(request, payload))
  })
}

async function scanInSlices(scanner: JsonScanner, length: number): Promise<void> {
  const yielder = createYielder(1)
  for (let end = 0; end < length;) {
    if (yielder.shouldYield()) await yielder.yield()
    end = Math.min(end + SCAN_SLICE_BYTES, length)
    scanner.scanTo(end)
  }
}

/**
 * Estimates the memory in bytes of a parsed body and of all that is made of it: rows to write, parameters of statements,
 * errors to return. Measured with uploads of results, which take the most.
 */
const estimateMemory = (byteCount: number, valueCount: number): number => 8 * byteCount + 64 * valueCount

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i

/** JSON without a charset is UTF-8 (RFC 8259). */
const declaresUtf8 = ({ headers: { 'content-type': type = '' } }: FastifyRequest): boolean =>
  /^utf-?8$/i.test(CHARSET.exec(type)?.[1] ?? 'utf-8')

/**
 * An endpoint of the API without a body ignores one of any type, as every GET does: clients send `{}` or the media type
 * of a form with a DELETE. So does an endpoint that does not exist: nothing limits the requests to it.
 */
const declaresNoBody = ({ routeOptions: { url, schema, config } }: FastifyRequest): boolean =>
  url === undefined || (url.startsWith('/v1') && schema?.body === undefined && config.receivesFile !== true)

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

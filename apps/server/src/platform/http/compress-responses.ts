import { pipeline, Readable } from 'node:stream'
import { createGzip, gzip } from 'node:zlib'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { createMemoryPool } from '../memory-pool.ts'
import { acceptsGzip } from './accepts-gzip.ts'
import type { App } from './app.ts'

/** Smaller responses fit into a few packets anyway. */
const MIN_BYTES = 4096
/** Higher levels take twice the time for a few percent. */
const LEVEL = 4
const CHUNK_BYTES = 65_536

/**
 * The memory of all responses that are being compressed: their text and what becomes of it. Without free memory, a response
 * is sent uncompressed.
 */
const MEMORY_BYTES = 32 * 1024 * 1024
/** What zlib allocates for one response besides. */
const ZLIB_BYTES = 512 * 1024

/**
 * Compresses JSON and CSV with gzip on threads of zlib, outside of the event loop. `@fastify/compress` would do so with a
 * stream for each response and without a limit on memory.
 *
 * BREACH (https://www.breachattack.com) finds a secret in a compressed response in which the attacker's own text is repeated,
 * by making the victim's browser send many such requests. Therefore requests that another site causes are not answered
 * with compression, and pages never are: they show new tokens and links beside names that users have chosen.
 */
export function compressResponses(app: App): void {
  const memory = createMemoryPool(MEMORY_BYTES)

  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isCompressible(reply, payload)) {
      done()
      return
    }
    void reply.header('vary', 'Accept-Encoding')
    const release = canCompress(request, reply) ? memory.tryTake(getMemory(payload)) : null
    if (release === null) {
      done()
      return
    }
    void reply.header('content-encoding', 'gzip')
    weakenETag(reply)
    if (payload instanceof Readable) {
      done(null, compressStream(payload, release))
    } else {
      gzip(payload, { level: LEVEL, chunkSize: CHUNK_BYTES }, (error, compressed) => {
        release()
        if (error === null) done(null, compressed)
        else done(error)
      })
    }
  })
}

type Payload = string | Buffer | Readable

/** JSON, problem details and CSV. Not event streams, which must arrive at once, and not files of a fixed length. */
function isCompressible(reply: FastifyReply, payload: unknown): payload is Payload {
  if (payload instanceof Readable ? reply.hasHeader('content-length') : getLength(payload) < MIN_BYTES) return false
  const type = String(reply.getHeader('content-type') ?? '')
  return /^(?:application\/(?:problem\+)?json|text\/csv)\b/.test(type) && !reply.hasHeader('content-encoding')
}

const getLength = (payload: unknown) => (typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0)

/** Browsers send `Sec-Fetch-Site`; other clients act for nobody else. */
function canCompress({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  const site = headers['sec-fetch-site'] ?? 'none'
  if (site !== 'same-origin' && site !== 'none') return false
  return (
    !String(reply.getHeader('cache-control') ?? '').includes('no-transform') && acceptsGzip(headers['accept-encoding'])
  )
}

const getMemory = (payload: Payload): number =>
  ZLIB_BYTES + (payload instanceof Readable ? 2 * CHUNK_BYTES : 2 * payload.length)

function compressStream(payload: Readable, release: () => void): Readable {
  // An error of the payload destroys the stream, and Fastify ends the response.
  return pipeline(payload, createGzip({ level: LEVEL, chunkSize: CHUNK_BYTES }), release)
}

/** A strong ETag names exactly the bytes of a response (RFC 9110, section 8.8.1). */
function weakenETag(reply: FastifyReply): void {
  const etag = String(reply.getHeader('etag') ?? '')
  if (etag.startsWith('"')) void reply.header('etag', `W/${etag}`)
}

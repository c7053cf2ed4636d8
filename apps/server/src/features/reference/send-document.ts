import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { acceptsGzip } from '../../platform/http/accepts-gzip.ts'

const compress = promisify(gzip)

interface Serialized {
  readonly text: string
  readonly compressed: Buffer
  readonly etag: string
}

/**
 * Creates a handler that sends the OpenAPI document in one of its forms. It is serialized and compressed once, which takes longer
 * than any other request that needs no token, and it does not change while the service runs.
 */
export function createDocumentHandler(contentType: string, format: () => Promise<string> | string) {
  let serialized: Promise<Serialized> | undefined
  const serialize = async (): Promise<Serialized> => {
    try {
      const text = await format()
      return { text, compressed: await compress(text), etag: `"${hash('sha256', text, 'base64url')}"` }
    } catch (error) {
      // The next request tries again.
      serialized = undefined
      throw error
    }
  }
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { text, compressed, etag } = await (serialized ??= serialize())
    const isCompressed = acceptsGzip(request.headers['accept-encoding'])
    void reply.headers({
      // A strong ETag would name the bytes of one of the two encodings.
      etag: isCompressed ? `W/${etag}` : etag,
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
    })
    if (matchesETag(request.headers['if-none-match'], etag)) return await reply.code(304).send()
    void reply.header('content-type', contentType)
    return await (isCompressed ? reply.header('content-encoding', 'gzip').send(compressed) : reply.send(text))
  }
}

/** Whether `If-None-Match` (RFC 9110, section 13.1.2) names the version that the client would receive. */
const matchesETag = (condition: string | undefined, etag: string): boolean =>
  condition !== undefined && condition.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))

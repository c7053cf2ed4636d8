import type { Readable } from 'node:stream'

import { bodyTooLarge } from '../../problems.ts'

/**
 * The chunks of a body as long as they stay within a limit. When its reader stops early (at the limit, or at a mistake
 * in the XML) the rest is read and dropped, since a client that is still sending would never see the answer.
 * @throws {Problem} 413 as soon as there is one byte more
 */
export async function* limitBytes(body: Readable, limit: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength
      if (bytes > limit) throw bodyTooLarge(limit)
      yield chunk
    }
  } finally {
    body.resume()
  }
}

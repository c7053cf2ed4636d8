import type { IncomingMessage } from 'node:http'

import { bodyTooLargeProblem, invalidFieldProblem } from '../../platform/http/problems.ts'

/**
 * Yields the chunks of a body up to a size limit. When the reader stops early (at the limit, or at malformed XML), the
 * body stays open so that the client still receives the response.
 * @throws {Problem} 413 when the body exceeds the limit; 400 when the connection ends before the body does
 */
export async function* limitBytes(body: IncomingMessage, limit: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    if (Number(body.headers['content-length'] ?? 0) > limit) throw bodyTooLargeProblem(limit)
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength
      if (bytes > limit) throw bodyTooLargeProblem(limit)
      yield chunk
    }
  } catch (error) {
    // The client is gone and cannot read this, but a problem is not logged as a server error.
    throw body.errored === null ? error : invalidFieldProblem('', 'ended before it was complete', 'incomplete_body')
  }
}

import type { IncomingMessage } from 'node:http'

import { bodyTooLargeProblem, invalidFieldProblem } from '../../platform/http/problems.ts'

/**
 * The chunks of a body as long as they stay within a limit. When its reader stops early (at the limit, or at a mistake
 * in the XML) the body is left open, so that its sender can still be answered.
 * @throws {Problem} 413 as soon as there is one byte more; 400 when the body breaks off
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
    // Nobody is there to read this; but it is no failure of ours, and must not be logged as one.
    throw body.errored === null ? error : invalidFieldProblem('', 'broke off before its end', 'incomplete_body')
  }
}

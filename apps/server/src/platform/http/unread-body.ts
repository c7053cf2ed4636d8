import type { FastifyReply, FastifyRequest } from 'fastify'

/** How long a client may continue to send a rejected body. */
const DRAIN_TIMEOUT_MS = 30_000

/**
 * Reads and discards the remaining body of a request that was rejected early. Fastify would close the connection: a client
 * that is still sending would see a reset connection instead of the response.
 */
export function drainUnreadBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || raw.destroyed) return
  void reply.removeHeader('connection')
  const deadline = setTimeout(() => raw.destroy(), DRAIN_TIMEOUT_MS)
  deadline.unref()
  raw.once('close', () => clearTimeout(deadline))
  raw.resume()
}

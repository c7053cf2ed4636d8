import type { FastifyReply, FastifyRequest } from 'fastify'

/** How long a client may go on sending a body that has been refused. */
const DRAIN_TIMEOUT_MS = 30_000

/**
 * Reads and drops the rest of a body that was refused before its end. Fastify would close the connection, and a client
 * that is still sending would be reset by that and never see why it was refused.
 */
export function drainUnreadBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || raw.destroyed) return
  void reply.removeHeader('connection')
  const deadline = setTimeout(() => raw.destroy(), DRAIN_TIMEOUT_MS)
  deadline.unref()
  raw.once('close', () => clearTimeout(deadline))
  raw.resume()
}

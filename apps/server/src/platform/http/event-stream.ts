import type { FastifyReply, FastifyRequest } from 'fastify'

/** A response of server-sent events, as `EventSource` reads it, that stays open. */
export interface EventStream {
  /** Sends complete events or comments. A client that has not read earlier ones is disconnected. */
  send(message: Buffer): void
  /** Sends the last message and ends the response. */
  end(message?: Buffer): void
}

/** A client that leaves more than this unread is too slow. Messages are shared by all streams that send them. */
const MAX_UNREAD_BYTES = 256 * 1024

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Proxies must neither compress nor collect events; the last header is for nginx.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

/**
 * Starts the response. The time limits for other responses do not apply to it.
 * @param onClose called once when the response has ended, or its client is gone
 */
export function openEventStream(request: FastifyRequest, reply: FastifyReply, onClose: () => void): EventStream {
  reply.hijack()
  const { raw } = reply
  if (raw.destroyed) onClose()
  else raw.once('close', onClose)
  request.raw.socket.setTimeout(0)
  const headers = { ...reply.getHeaders(), ...HEADERS }
  raw.writeHead(200, headers as Record<string, string>)
  if (request.method === 'HEAD') raw.end()
  else raw.flushHeaders()
  const isOpen = () => !raw.writableEnded && !raw.destroyed
  return {
    send(message) {
      if (!isOpen()) return
      if (raw.writableLength > MAX_UNREAD_BYTES) raw.destroy()
      else raw.write(message)
    },
    end(message) {
      if (isOpen()) raw.end(message)
    },
  }
}

/** Formats an event. Its id is what `EventSource` sends as `Last-Event-ID` when it connects again. */
export const formatEvent = (name: string, id: string, json: string): string =>
  `event: ${name}\nid: ${id}\ndata: ${json}\n\n`

/** Formats the time after which clients connect again, which they keep until they receive another one. */
export const formatRetry = (delayMs: number): string => `retry: ${delayMs}\n\n`

/** A comment, which keeps proxies from closing a connection on which nothing happens. */
export const BEAT = Buffer.from(': beat\n\n')

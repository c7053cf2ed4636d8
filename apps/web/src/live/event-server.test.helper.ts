import type { ServerResponse } from 'node:http'

import { startServer } from '../start-server.test.helper.ts'

/** A server of one event stream. */
export interface EventServer {
  readonly url: string
  /** `open`: sends `sync` at once. `silent`: as a proxy that buffers. `full`: 503. */
  mode: 'open' | 'silent' | 'full'
  /** Number of streams that are open. */
  countStreams(): number
  /** Number of streams that were requested so far. */
  requestCount: number
  readonly lastEventIds: (string | undefined)[]
  send(name: string, data: object, id?: string): void
  /** Loses all connections. */
  disconnect(): void
  close(): Promise<void>
}

export async function startEventServer(): Promise<EventServer> {
  const streams = new Set<ServerResponse>()
  const { url, close } = await startServer((request, response) => {
    server.requestCount += 1
    server.lastEventIds.push(request.headers['last-event-id'] as string | undefined)
    if (server.mode === 'full') {
      response.writeHead(503).end()
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    streams.add(response)
    response.on('close', () => streams.delete(response))
    if (server.mode === 'open') write(response, 'sync', { at: 't0' }, 't0')
  })
  const write = (response: ServerResponse, name: string, data: object, id: string) =>
    response.write(`event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`)
  const server: EventServer = {
    url,
    mode: 'open',
    requestCount: 0,
    lastEventIds: [],
    countStreams: () => streams.size,
    send: (name, data, id = 't1') => streams.forEach((response) => write(response, name, data, id)),
    disconnect: () => streams.forEach((response) => response.destroy()),
    close,
  }
  return server
}

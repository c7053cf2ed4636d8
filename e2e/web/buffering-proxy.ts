import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

import { onTestFinished } from 'vitest'

/** A proxy in front of the server. */
export interface BufferingProxy {
  url: string
  /** Passes event streams on from now on. */
  passEvents(): void
}

/**
 * Starts a proxy that keeps a response to itself until it is complete, as some proxies do: those that never end never
 * arrive. It stops with the current test.
 * @param target address of the server
 */
export async function startBufferingProxy(target: string): Promise<BufferingProxy> {
  let mayPass = false
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming
    const forwarded = request(new URL(url ?? '/', target), { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false
      if (isStream && !mayPass) response.resume()
      else response.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passEvents: () => void (mayPass = true),
  }
}

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

import { onTestFinished } from 'vitest'

export interface ForwardingProxy {
  /** Without user name and password. */
  readonly host: string
  /** What the proxy was asked for: `CONNECT host:port`, `POST http://…`. */
  readonly requests: string[]
}

/**
 * Starts a forwarding HTTP proxy until the test has finished.
 * @param options.credentials `user:password` that every request must have
 * @param options.resolve the port on 127.0.0.1 of each host that only the proxy knows
 */
export async function startForwardingProxy({
  credentials,
  resolve,
}: {
  credentials?: string
  resolve: (host: string) => number | null
}): Promise<ForwardingProxy> {
  const requests: string[] = []
  const isAllowed = ({ headers }: IncomingMessage) =>
    credentials === undefined ||
    headers['proxy-authorization'] === `Basic ${Buffer.from(credentials).toString('base64')}`

  const forward = (from: IncomingMessage, to: ServerResponse) => {
    requests.push(`${from.method ?? ''} ${from.url ?? ''}`)
    const url = new URL(from.url ?? '')
    const port = resolve(url.host)
    if (!isAllowed(from)) return to.writeHead(407, { 'content-type': 'text/html' }).end('<html>')
    if (port === null) return to.writeHead(403).end()
    const { 'proxy-authorization': _, ...headers } = from.headers
    const path = url.pathname + url.search
    const onward = request({ host: '127.0.0.1', port, path, method: from.method, headers }, (response) => {
      to.writeHead(response.statusCode ?? 502, response.rawHeaders)
      response.pipe(to)
    })
    onward.on('error', () => to.destroy())
    return from.pipe(onward)
  }
  const openTunnel = (from: IncomingMessage, client: Socket, head: Buffer) => {
    requests.push(`CONNECT ${from.url ?? ''}`)
    const port = resolve(from.url ?? '')
    if (!isAllowed(from)) return client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    if (port === null) return client.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const server = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      server.write(head)
      server.pipe(client).pipe(server)
    })
    client.on('error', () => server.destroy())
    return server.on('error', () => client.destroy())
  }
  const proxy = createServer(forward).on('connect', openTunnel)
  proxy.listen(0, '127.0.0.1')
  await new Promise((listening) => proxy.once('listening', listening))
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return { host: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, requests }
}

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

import type { Scenario } from './scenario.ts'

/** A proxy that can be closed and opened again to simulate an outage. */
export interface TestProxy {
  url: string
  close(): Promise<void>
  reopen(): Promise<void>
}

/** Starts a proxy that forwards to a server. */
export async function startProxy(serverUrl: string): Promise<TestProxy> {
  const serverPort = Number(new URL(serverUrl).port)
  let proxy = await listen(serverPort, 0)
  const { port } = proxy.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => proxy.close(() => resolve())),
    async reopen() {
      proxy = await listen(serverPort, port)
    },
  }
}

/**
 * Starts a proxy that closes the connection of the first upload, either after forwarding the start of the request or
 * before forwarding the response.
 */
export async function startProxyThatFails(
  serverUrl: string,
  failOn: 'request' | 'response',
  onFail: () => void,
): Promise<Pick<TestProxy, 'url' | 'close'>> {
  let hasFailed = false
  const proxy = await listen(Number(new URL(serverUrl).port), 0, (from, toServer) => {
    let isUpload = false
    const failOnce = (event: typeof failOn) => {
      if (hasFailed || !isUpload || event !== failOn) return
      hasFailed = true
      from.destroy()
      onFail()
    }
    from.on('data', (bytes: Buffer) => {
      toServer.write(bytes)
      isUpload ||= bytes.includes('POST /v1/results')
      failOnce('request')
    })
    toServer.on('data', (bytes: Buffer) => {
      failOnce('response')
      if (!from.destroyed) from.write(bytes)
    })
    from.on('close', () => toServer.destroy())
    toServer.on('end', () => from.end())
  })
  const { port } = proxy.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((resolve) => proxy.close(() => resolve())) }
}

/** Returns the settings of a scenario with a URL that refuses connections. */
export async function withUnreachableServer({ env }: Scenario): Promise<Scenario['env']> {
  const proxy = await startProxy(env.SERVICE_URL)
  await proxy.close()
  return { ...env, SERVICE_URL: proxy.url }
}

async function listen(serverPort: number, port: number, handle = forward): Promise<Server> {
  const proxy = createServer((from: Socket) => {
    const to = connect(serverPort, '127.0.0.1')
    handle(from, to)
    for (const [socket, other] of [
      [from, to],
      [to, from],
    ] as const)
      socket.on('error', () => other.destroy())
  })
  proxy.listen(port, '127.0.0.1')
  await once(proxy, 'listening')
  return proxy
}

const forward = (from: Socket, to: Socket): void => void from.pipe(to).pipe(from)

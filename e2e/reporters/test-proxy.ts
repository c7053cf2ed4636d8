import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

import type { Scenario } from './scenario.ts'

/** A way to a server that can be closed and opened again, as an outage does. */
export interface TestProxy {
  url: string
  close(): Promise<void>
  reopen(): Promise<void>
}

/** Opens a way to a server: what is sent to its URL is passed on. */
export async function startProxy(to: string): Promise<TestProxy> {
  const port = Number(new URL(to).port)
  let way = await listen(port, 0)
  const ownPort = (way.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${ownPort}`,
    close: () => new Promise((resolve) => way.close(() => resolve())),
    async reopen() {
      way = await listen(port, ownPort)
    },
  }
}

/**
 * Opens a way to a server on which something befalls the first upload: when it begins to be sent on, or when it is
 * answered, of which nobody hears.
 */
export async function startProxyThatFails(
  to: string,
  at: 'request' | 'answer',
  befall: () => void,
): Promise<Pick<TestProxy, 'url' | 'close'>> {
  let isOver = false
  const way = await listen(Number(new URL(to).port), 0, (from, toServer) => {
    let isUpload = false
    const failOnce = (now: typeof at) => {
      if (isOver || !isUpload || now !== at) return
      isOver = true
      from.destroy()
      befall()
    }
    from.on('data', (bytes: Buffer) => {
      toServer.write(bytes)
      isUpload ||= bytes.includes('POST /v1/results')
      failOnce('request')
    })
    toServer.on('data', (bytes: Buffer) => {
      failOnce('answer')
      if (!from.destroyed) from.write(bytes)
    })
    from.on('close', () => toServer.destroy())
    toServer.on('end', () => from.end())
  })
  const { port } = way.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((resolve) => way.close(() => resolve())) }
}

/** The settings of a scene at a time when its server is out of reach: nobody listens at the address. */
export async function withUnreachableServer({ env }: Scenario): Promise<Scenario['env']> {
  const way = await startProxy(env.SERVICE_URL)
  await way.close()
  return { ...env, SERVICE_URL: way.url }
}

async function listen(port: number, ownPort: number, pass = forward): Promise<Server> {
  const way = createServer((from: Socket) => {
    const to = connect(port, '127.0.0.1')
    pass(from, to)
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const)
      one.on('error', () => other.destroy())
  })
  way.listen(ownPort, '127.0.0.1')
  await once(way, 'listening')
  return way
}

const forward = (from: Socket, to: Socket): void => void from.pipe(to).pipe(from)

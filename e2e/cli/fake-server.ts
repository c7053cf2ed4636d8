import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

import { onTestFinished } from 'vitest'

/** Starts an HTTP server that is not Caseward, until the test has finished. */
export async function startFakeServer(listener: RequestListener): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(listener)
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()))
  onTestFinished(close)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

/** Starts a server that sends the same response to every request, as a proxy does. */
export const startFakeProxy = (status: number, headers: Record<string, string> = {}, body = '<html>No</html>') =>
  startFakeServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body)
  })

import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

import { onTestFinished } from 'vitest'

import { type ClientOptions, createClient } from './client.ts'

/* An HTTP server that imitates network failures and proxies. */

/** Starts a server until the test has finished. It uses one listener per request; the last one for all further ones. */
export async function startServer(...listeners: RequestListener[]) {
  const requests: { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer }[] = []
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    const listener = listeners[Math.min(requests.length, listeners.length - 1)]
    const record = { method, url, headers, body: Buffer.alloc(0) }
    requests.push(record)
    request
      .on('data', (chunk: Buffer) => (record.body = Buffer.concat([record.body, chunk])))
      .on('end', () => listener?.(request, response))
  })
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  onTestFinished(close)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, close }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
export const html =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<html>Bad Gateway</html>')
  }
export const closeConnection: RequestListener = (_, response) => void response.destroy()
export const truncate: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('{"data": [')
  setTimeout(() => response.destroy(), 20)
}
export const neverRespond: RequestListener = () => {}

export const page = { data: [], meta: { page: 1, per_page: 20, total: 0 } }
export const stats = { passed: 1, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
export const receipt = { success: true, uploaded_count: 1, failed_count: 0, stats }
export const partial = { ...receipt, success: false, partial_failure: true, errors: [] }
export const problem = {
  type: 'about:blank',
  title: 'Not Found',
  status: 404,
  detail: 'No such project.',
  code: 'not_found',
}

export const shortDelays = { limit: 3, firstDelayMs: 10, longestDelayMs: 2000 }
export const createTestClient = (url: string, options: Partial<ClientOptions> = {}) =>
  createClient({ url, token: 'cwc_test', retries: shortDelays, ...options })

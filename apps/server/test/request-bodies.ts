import { setTimeout as sleep } from 'node:timers/promises'

import { makeProject, makeRun } from '@caseward/test-support/factories'
import { openRawRequest, type RawRequest } from '@caseward/test-support/raw-request'
import { useTestServer } from '@caseward/test-support/test-server'
import { beforeAll, onTestFinished } from 'vitest'

export const MEBIBYTE = 1024 * 1024

/** A valid body of this size. */
export const makeBody = (bytes: number) => {
  const rest = '{"results":[],"future":""}'.length
  return `{"results":[],"future":"${'x'.repeat(bytes - rest)}"}`
}

/** Starts a server with little memory for bodies: of 16 MB, larger ones have 6 MB while they are received and 6 MB while they are processed. */
export function useServerForBodies() {
  const server = useTestServer({ bodyMemoryMb: 16, requestTimeoutSeconds: 30 })
  let token: string
  let path: string
  beforeAll(async () => {
    const project = await makeProject(server)
    token = project.admin.token
    path = `/v1/runs/${(await makeRun(server, project)).id}/results/bulk`
  })
  const getHeaders = () => [
    `POST ${path} HTTP/1.1`,
    'Host: caseward.test',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
  ]
  return {
    server,
    getHeaders,
    send: (body: string) =>
      server.request('POST', path, { token, body, headers: { 'content-type': 'application/json' } }),
    /** Sends the headers of a request, and half of its body. */
    async startBody(body: string, { isChunked = false } = {}): Promise<RawRequest & { finish(): Promise<void> }> {
      const half = body.length / 2
      const frame = (text: string) => (isChunked ? `${text.length.toString(16)}\r\n${text}\r\n` : text)
      const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`
      const request = openRawRequest(server.url, [...getHeaders(), length, ''])
      onTestFinished(() => void request.socket.destroy())
      await request.send(frame(body.slice(0, half)))
      // The server has read the headers when it answers a request that was sent later.
      await server.request('GET', '/healthz')
      await sleep(50)
      return { ...request, finish: () => request.send(frame(body.slice(half)) + (isChunked ? '0\r\n\r\n' : '')) }
    },
  }
}

/** Resolves with "waiting" if the response has not arrived soon. */
export const peek = (response: Promise<{ status: number }>) =>
  Promise.race([response.then(({ status }) => status), sleep(500, 'waiting')])

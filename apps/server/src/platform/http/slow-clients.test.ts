import { setTimeout as sleep } from 'node:timers/promises'

import { makeProject } from '@caseward/test-support/factories'
import { openRawRequest } from '@caseward/test-support/raw-request'
import { useTestServer } from '@caseward/test-support/test-server'
import { waitUntil } from '@caseward/test-support/wait-until'
import { beforeAll, describe, expect, it } from 'vitest'

const server = useTestServer({ requestTimeoutSeconds: 1 })
let token: string
/** The bytes of a long response. */
let size: number
beforeAll(async () => {
  token = (await makeProject(server)).admin.token
  // Making the document takes longer than the time limit on a busy machine: once it is made, it is sent at once.
  const headers = { 'accept-encoding': 'identity' }
  const readSize = async () => (size = (await (await fetch(`${server.url}/openapi.json`, { headers })).blob()).size)
  const hasSize = () =>
    readSize().then(
      () => true,
      () => false,
    )
  await waitUntil(hasSize, 'the document is made')
})

/** So many responses of some megabytes are more than the buffers of a connection hold. */
const RESPONSES = 20

/** The connection is closed within so many milliseconds. */
const MAX_MS = 5000

async function measure(closed: Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await closed
  return performance.now() - startedAt
}

const headers = () => ['POST /v1/projects HTTP/1.1', 'Host: caseward.test', `Authorization: Bearer ${token}`]

describe('with a time limit of one second, the service', () => {
  // At the same time, because they wait.
  describe.concurrent('and clients that', () => {
    it.each([
      ['the headers', () => headers()],
      ['the body', () => [...headers(), 'Content-Type: application/json', 'Content-Length: 1000', '', '{"name":"x",']],
    ])('send %s byte by byte: returns 408, and closes the connection', async (_what, lines) => {
      const request = openRawRequest(server.url, lines())
      const timer = setInterval(() => void request.send('x'), 100)
      const closedAfterMs = measure(request.closed)
      const { status, body } = await request.response.finally(() => clearInterval(timer))
      expect([status, JSON.parse(body)]).toMatchObject([408, { code: 'request_timeout' }])
      expect(await closedAfterMs).toBeLessThan(MAX_MS)
    })

    it('send nothing: closes the connection', async () => {
      expect(await measure(openRawRequest(server.url, []).closed)).toBeLessThan(MAX_MS)
    })

    it('do not read their response: closes the connection', async () => {
      const request = openRawRequest(server.url, [])
      let receivedBytes = 0
      request.socket.on('data', (text: string) => (receivedBytes += text.length))
      request.socket.pause()
      await request.send('GET /openapi.json HTTP/1.1\r\nHost: caseward.test\r\n\r\n'.repeat(RESPONSES))
      await sleep(MAX_MS)
      request.socket.resume()
      await request.closed
      expect(receivedBytes).toBeLessThan(RESPONSES * size)
    })
  })

  it('serves other clients', async () => {
    expect((await server.request('GET', '/v1/projects', { token })).status).toBe(200)
  })
})

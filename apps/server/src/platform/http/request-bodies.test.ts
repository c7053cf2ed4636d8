import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

import { makeProject, makeRun } from '@caseward/test-support/factories'
import { openRawRequest, type RawRequest } from '@caseward/test-support/raw-request'
import { useTestServer } from '@caseward/test-support/test-server'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'

const MEBIBYTE = 1024 * 1024

// Of 16 MB, larger bodies have 6 MB while they are received and 6 MB while they are processed.
const server = useTestServer({ bodyMemoryMb: 16, requestTimeoutSeconds: 30 })
let token: string
let path: string
beforeAll(async () => {
  const project = await makeProject(server)
  token = project.admin.token
  path = `/v1/runs/${(await makeRun(server, project)).id}/results/bulk`
})

/** A valid body of this size. */
const makeBody = (bytes: number) => {
  const rest = '{"results":[],"future":""}'.length
  return `{"results":[],"future":"${'x'.repeat(bytes - rest)}"}`
}

const send = (body: string) =>
  server.request('POST', path, { token, body, headers: { 'content-type': 'application/json' } })

/** Sends the headers of a request, and half of its body. */
async function startBody(body: string, { isChunked = false } = {}): Promise<RawRequest & { finish(): Promise<void> }> {
  const half = body.length / 2
  const frame = (text: string) => (isChunked ? `${text.length.toString(16)}\r\n${text}\r\n` : text)
  const request = openRawRequest(server.url, [
    `POST ${path} HTTP/1.1`,
    'Host: caseward.test',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`,
    '',
  ])
  onTestFinished(() => void request.socket.destroy())
  await request.send(frame(body.slice(0, half)))
  // The server has read the headers when it answers a request that was sent later.
  await server.request('GET', '/healthz')
  await sleep(50)
  return { ...request, finish: () => request.send(frame(body.slice(half)) + (isChunked ? '0\r\n\r\n' : '')) }
}

/** Resolves with "waiting" if the response has not arrived soon. */
const peek = (response: Promise<{ status: number }>) =>
  Promise.race([response.then(({ status }) => status), sleep(500, 'waiting')])

describe('the memory for request bodies', () => {
  it('lets a large body wait until another one is complete', async () => {
    const first = await startBody(makeBody(5 * MEBIBYTE))
    const second = send(makeBody(2 * MEBIBYTE))
    expect(await peek(second)).toBe('waiting')
    await first.finish()
    expect([(await first.response).status, (await second).status]).toEqual([200, 200])
  })

  it('lets small bodies pass large ones that wait', async () => {
    const first = await startBody(makeBody(6 * MEBIBYTE))
    const second = send(makeBody(MEBIBYTE))
    expect(await peek(second)).toBe('waiting')
    expect((await send(makeBody(60_000))).status).toBe(200)
    await first.finish()
    expect((await second).status).toBe(200)
  })

  it('reserves the size limit of the endpoint for a body without a length', async () => {
    const first = await startBody(makeBody(1000), { isChunked: true })
    const second = send(makeBody(MEBIBYTE))
    expect(await peek(second)).toBe('waiting')
    await first.finish()
    expect([(await first.response).status, (await second).status]).toEqual([200, 200])
  })

  it('accepts a body that is larger than all of the memory, when nothing else needs it', async () => {
    expect((await send(makeBody(10 * MEBIBYTE))).status).toBe(200)
  })

  it('returns 503 with Retry-After after five seconds without free memory', async () => {
    const first = await startBody(makeBody(6 * MEBIBYTE))
    const startedAt = performance.now()
    const { status, headers, body } = await send(makeBody(MEBIBYTE))
    const seconds = (performance.now() - startedAt) / 1000
    expect([status, body['code'], headers.get('retry-after')]).toEqual([503, 'server_busy', '5'])
    expect(seconds).toBeGreaterThan(4.9)
    await first.finish()
    expect((await first.response).status).toBe(200)
  })

  it('frees the memory of a body whose client disconnects', async () => {
    const first = await startBody(makeBody(6 * MEBIBYTE))
    const second = send(makeBody(MEBIBYTE))
    expect(await peek(second)).toBe('waiting')
    first.socket.destroy()
    expect((await second).status).toBe(200)
  })

  it('forgets a client that disconnects while it waits', async () => {
    const first = await startBody(makeBody(4 * MEBIBYTE))
    const waiting = await startBody(makeBody(6 * MEBIBYTE))
    const last = send(makeBody(MEBIBYTE))
    expect(await peek(last)).toBe('waiting')
    waiting.socket.destroy()
    expect((await last).status).toBe(200)
    await first.finish()
    expect((await first.response).status).toBe(200)
  })

  it('frees all memory after refused bodies, and after clients that disconnect without reading the response', async () => {
    for (let round = 0; round < 5; round += 1) {
      expect((await send('['.repeat(3 * MEBIBYTE))).status).toBe(400)
      const request = await startBody(makeBody(3 * MEBIBYTE))
      await request.finish()
      request.socket.destroy()
      await once(request.socket, 'close')
    }
    // Without free memory, it would be refused.
    expect((await send(makeBody(6 * MEBIBYTE))).status).toBe(200)
  })

  it('ends a body that arrives too slowly to be complete in time, when others wait for its memory', async () => {
    const slow = await startBody(makeBody(6 * MEBIBYTE))
    // A tenth of the time for a request, in which half of the body is fast enough.
    await sleep(3000)
    expect(await peek(slow.response)).toBe('waiting')
    slow.socket.destroy()
    const slower = openRawRequest(server.url, [
      `POST ${path} HTTP/1.1`,
      'Host: caseward.test',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${6 * MEBIBYTE}`,
      '',
      '{',
    ])
    await sleep(1500)
    expect((await send(makeBody(MEBIBYTE))).status).toBe(200)
    expect((await slower.response).body).toContain('server_busy')
  })

  it('logs no errors', () => {
    expect(server.logged.filter((line) => /"level":[56]0/.test(line))).toEqual([])
  })
})

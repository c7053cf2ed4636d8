import { setTimeout as sleep } from 'node:timers/promises'

import { openRawRequest } from '@caseward/test-support/raw-request'
import { describe, expect, it } from 'vitest'

import { makeBody, MEBIBYTE, peek, useServerForBodies } from '../../../test/request-bodies.ts'

const { server, getHeaders, send, startBody } = useServerForBodies()

describe('the memory for request bodies', () => {
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

  // Node.js does not notice that a client is gone while nothing is read from it.
  it('lets others go on after five seconds when the client that waits before them is gone', async () => {
    const first = await startBody(makeBody(4 * MEBIBYTE))
    const waiting = await startBody(makeBody(6 * MEBIBYTE))
    const last = send(makeBody(MEBIBYTE))
    expect(await peek(last)).toBe('waiting')
    waiting.socket.destroy()
    expect((await last).status).toBe(200)
    await first.finish()
    expect((await first.response).status).toBe(200)
  })

  it('ends a body that arrives too slowly to be complete in time, when others wait for its memory', async () => {
    const slow = await startBody(makeBody(6 * MEBIBYTE))
    // A tenth of the time for a request, in which half of the body is fast enough.
    await sleep(3000)
    expect(await peek(slow.response)).toBe('waiting')
    slow.socket.destroy()
    const slower = openRawRequest(server.url, [...getHeaders(), `Content-Length: ${6 * MEBIBYTE}`, '', '{'])
    await sleep(1500)
    expect((await send(makeBody(MEBIBYTE))).status).toBe(200)
    expect((await slower.response).body).toContain('server_busy')
  })
})

import { openEventStream } from '@caseward/test-support/event-stream'
import { makeProject, makeTestCase } from '@caseward/test-support/factories'
import { openRawRequest } from '@caseward/test-support/raw-request'
import { startServerForTest, useTestServer } from '@caseward/test-support/test-server'
import { waitUntil } from '@caseward/test-support/wait-until'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'

import { hasCitus } from '../../platform/database/connect.ts'

const server = useTestServer()

async function openProjectStream(headers: Record<string, string> = {}) {
  const project = await makeProject(server)
  const { token } = project.admin
  return { project, stream: await openEventStream(server.url, `/v1/projects/${project.id}/events`, { token, headers }) }
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('an event stream', () => {
  it('has the headers that keep proxies from storing, changing and collecting it', async () => {
    const { stream } = await openProjectStream()
    expect(stream).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
        'x-content-type-options': 'nosniff',
      },
    })
    expect(stream.headers['x-request-id']).toMatch(/\S/)
  })

  it('starts with the time for reconnecting, then with sync and the time of the database', async () => {
    const before = Date.now()
    const { stream } = await openProjectStream()
    const sync = await stream.next<{ at: string }>('sync')
    expect(stream.getText()).toMatch(/^retry: 3000\n\nevent: sync\n/)
    expect(sync.id).toBe(sync.data.at)
    expect(sync.id).toMatch(isoTime)
    // Shortly before, because a transaction that began earlier may not be committed yet.
    expect(Date.parse(sync.id)).toBeGreaterThanOrEqual(before - 10_000)
    expect(Date.parse(sync.id)).toBeLessThan(before)
  })

  it('has ids that are shortly before the time of the change', async () => {
    const { project, stream } = await openProjectStream()
    const { updated_at: updatedAt } = await makeTestCase(server, project)
    const { id } = await stream.next('test_cases')
    const earlierMs = Date.parse(updatedAt) - Date.parse(id)
    // On Citus, the change is announced by a statement after it.
    expect(earlierMs).toBeGreaterThanOrEqual(hasCitus(server.db) ? 1 : 10_000)
    expect(earlierMs).toBeLessThanOrEqual(10_000)
  })

  it('resumes with sync at the last event that the client has received', async () => {
    const id = '2026-01-02T03:04:05.678Z'
    const { stream } = await openProjectStream({ 'last-event-id': id })
    expect(await stream.next('sync')).toEqual({ name: 'sync', id, data: { at: id, quiet_ms: expect.any(Number) } })
  })

  it.each(['soon', '2100-01-01T00:00:00.000Z', '', 'x'.repeat(5000)])(
    'starts at the present for the Last-Event-ID %j',
    async (id) => {
      const { stream } = await openProjectStream({ 'last-event-id': id })
      const sync = await stream.next('sync')
      expect(Math.abs(Date.parse(sync.id) - Date.now())).toBeLessThan(60_000)
    },
  )

  it('is also sent to a request of HTTP/1.0 and ends with its connection', async () => {
    const project = await makeProject(server)
    const authorization = `Authorization: Bearer ${project.admin.token}`
    const request = openRawRequest(server.url, [`GET /v1/projects/${project.id}/events HTTP/1.0`, authorization, ''])
    expect((await request.response).status).toBe(200)
    request.socket.destroy()
    await expect(request.closed).resolves.toBeUndefined()
  })

  it('answers HEAD with the headers, and ends', async () => {
    const project = await makeProject(server)
    const { status, headers } = await server.request('HEAD', `/v1/projects/${project.id}/events`, {
      token: project.admin.token,
    })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  })

  it('is logged with one line, when it has ended', async () => {
    const { project, stream } = await openProjectStream()
    await stream.next('sync')
    const id = String(stream.headers['x-request-id'])
    const getLines = () => server.logged.filter((line) => line.includes(`"request_id":"${id}"`))
    await makeTestCase(server, project)
    await stream.next('test_cases')
    expect(getLines()).toEqual([])
    stream.close()
    await waitUntil(() => getLines().length > 0, 'the line is logged')
    await sleep(50)
    expect(getLines().map((line) => JSON.parse(line) as object)).toMatchObject([
      { msg: 'request', method: 'GET', route: '/v1/projects/:project_id/events', status: 200, level: 30 },
    ])
  })

  it('does not count as the duration of a request', async () => {
    const { stream } = await openProjectStream()
    stream.close()
    await waitUntil(stream.hasEnded, 'the stream has ended')
    const { body } = await server.request<string>('GET', '/metrics')
    expect(body).not.toContain('route="/v1/projects/:project_id/events",status="200"')
  })

  it('stays open longer than the time limit of other responses', async () => {
    const impatient = await startServerForTest({ requestTimeoutSeconds: 1 })
    const project = await makeProject(impatient)
    const { token } = project.admin
    const stream = await openEventStream(impatient.url, `/v1/projects/${project.id}/events`, { token })
    await sleep(2500)
    await makeTestCase(impatient, project)
    expect((await stream.next('test_cases')).data['more']).toBe(false)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { ADMIN_TOKEN } from '@caseward/test-support/caseward-process'
import { openEventStream } from '@caseward/test-support/event-stream'
import type { Service } from '@caseward/test-support/service'
import { postAsAdmin, startTwoServers, type TwoServers } from '@caseward/test-support/two-servers'

let servers: TwoServers
let end: () => Promise<void>
beforeAll(async () => {
  servers = await startTwoServers({ onCleanup: (endServers) => (end = endServers) })
})
afterAll(() => end())

async function makeProject() {
  const { first } = servers
  const { data } = await postAsAdmin(first, '/v1/projects', { name: 'Web shop', prefix: 'WEB' })
  const path = `/v1/projects/${data.id}`
  await postAsAdmin(first, `${path}/test-cases`, { title: 'A case' })
  const { data: run } = await postAsAdmin(first, `${path}/runs`, { name: 'Nightly' })
  return { path, runId: run.id }
}

const openStream = async ({ url }: Service, path: string, headers: Record<string, string> = {}) => {
  const stream = await openEventStream(url, `${path}/events`, { token: ADMIN_TOKEN, headers })
  await stream.next('sync')
  return stream
}

describe('event streams of two servers on one database', () => {
  it('receive what is stored through either server', async () => {
    const { first, second } = servers
    const { runId } = await makeProject()
    const streams = [await openStream(first, `/v1/runs/${runId}`), await openStream(second, `/v1/runs/${runId}`)]
    for (const [server, status] of [
      [first, 'passed'],
      [second, 'failed'],
    ] as const) {
      expect(await server.request('PUT', `/v1/runs/${runId}/results/WEB-1`, { status })).toMatchObject({ status: 200 })
      for (const stream of streams) {
        expect((await stream.next('results')).data).toMatchObject({ results: [{ test_case_id: 'WEB-1', status }] })
      }
    }
  })

  it('end on both servers when the access ends on one', async () => {
    const { first, second } = servers
    const { path } = await makeProject()
    const { data } = await postAsAdmin<{ data: { id: string; token: string } }>(first, '/v1/tokens', { name: 'mine' })
    const stream = await openEventStream(second.url, `${path}/events`, { token: data.token })
    await stream.next('sync')
    await first.request('DELETE', `/v1/tokens/${data.id}`)
    await expect(stream.ended).resolves.toBeUndefined()
  })
})

describe('a server that is told to stop', () => {
  it('ends its event streams at once, with the time for reconnecting, and the client resumes on the other server', async () => {
    const { first, second } = await startTwoServers({ secondSettings: { SHUTDOWN_DELAY_MS: '60000' } })
    const { data } = await postAsAdmin(first, '/v1/projects', { name: 'Web shop', prefix: 'WEB' })
    const path = `/v1/projects/${data.id}`
    const stream = await openStream(second, path)
    const { id } = stream.events[0] ?? { id: '' }
    const stoppedAt = performance.now()
    second.signal('SIGTERM')
    await stream.ended
    expect(performance.now() - stoppedAt).toBeLessThan(2000)
    expect(stream.getText()).toMatch(/retry: \d{4}\n\n$/)
    // During its delay, it ends further streams at once.
    const late = await openEventStream(second.url, `${path}/events`, { token: ADMIN_TOKEN })
    await late.ended
    expect(late.getText()).toMatch(/^retry: \d{4}\n\n$/)
    const resumed = await openStream(first, path, { 'last-event-id': id })
    expect(resumed.events[0]?.data).toMatchObject({ at: id })
  })

  it('exits in less than three seconds with open event streams', async () => {
    const { first } = await startTwoServers()
    const { data } = await postAsAdmin(first, '/v1/projects', { name: 'Web shop', prefix: 'WEB' })
    for (let count = 0; count < 20; count += 1) await openStream(first, `/v1/projects/${data.id}`)
    const stoppedAt = performance.now()
    first.signal('SIGTERM')
    expect(await first.ended).toBe(0)
    expect(performance.now() - stoppedAt).toBeLessThan(3000)
  })
})

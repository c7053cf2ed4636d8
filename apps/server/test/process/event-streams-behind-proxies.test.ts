import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { findFreePort } from '@caseward/embedded-postgres/find-free-port'
import { ADMIN_TOKEN } from '@caseward/test-support/caseward-process'
import { openEventStream } from '@caseward/test-support/event-stream'
import { makeProject, makeTestCase } from '@caseward/test-support/factories'
import {
  findOrInstallLoadBalancers,
  startHaproxy,
  startNginx,
  waitForBalancer,
} from '@caseward/test-support/load-balancers'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import { sendRequest } from '@caseward/test-support/send-request'
import { startServerForTest } from '@caseward/test-support/test-server'
import { startTwoServers } from '@caseward/test-support/two-servers'
import { waitUntil } from '@caseward/test-support/wait-until'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { readGuideSettings } from './guide-settings.ts'

beforeAll(findOrInstallLoadBalancers, INSTALL_TIMEOUT_MS)

type StartBalancer = (settings: string) => Promise<void>

/** Starts two servers behind a load balancer with the settings of the guide, and creates a project. */
async function startBehind(language: 'nginx' | 'haproxy', startBalancer: StartBalancer) {
  const [port, ...ports] = [await findFreePort(), await findFreePort(), await findFreePort()] as const
  const [first, second] = ports.map((serverPort) => ({ PORT: String(serverPort), SHUTDOWN_DELAY_MS: '2500' }))
  const servers = await startTwoServers({ firstSettings: first ?? {}, secondSettings: second ?? {} })
  await startBalancer(await readGuideSettings(language, port, ports))
  const url = `http://127.0.0.1:${port}`
  await waitForBalancer(url)
  const post = async (path: string, body: object) =>
    (await sendRequest<{ data: { id: string } }>(url, 'POST', path, { token: ADMIN_TOKEN, body })).body.data
  const project = await post('/v1/projects', { name: 'Web shop', prefix: 'WEB' })
  const path = `/v1/projects/${project.id}`
  const open = (headers: Record<string, string> = {}) =>
    openEventStream(url, `${path}/events`, { token: ADMIN_TOKEN, headers })
  return { ...servers, open, createTestCase: () => post(`${path}/test-cases`, { title: 'A case' }) }
}

type Open = Awaited<ReturnType<typeof startBehind>>['open']

/** Opens a stream as a browser does: again, when a server that is stopping has ended it at once. Returns its first event. */
async function resume(open: Open, id: string) {
  for (;;) {
    const { events, hasEnded } = await open({ 'last-event-id': id })
    await waitUntil(() => hasEnded() || events.length > 0, 'the stream has an event or has ended')
    const [first] = events
    if (first !== undefined) return first
  }
}

const balancers = [
  ['nginx', startNginx],
  ['haproxy', startHaproxy],
] as const

describe('event streams behind a load balancer with the settings of the guide', () => {
  it.each(balancers)('arrive at once, and move to the other server when one stops: %s', async (language, start) => {
    const { first, second, open, createTestCase } = await startBehind(language, start)
    const streams = [await open(), await open(), await open(), await open()]
    for (const stream of streams) await stream.next('sync')
    await createTestCase()
    // From a proxy that collects a response, it would arrive with the first comment, after 25 seconds, which is too late here.
    for (const stream of streams) await stream.next('test_cases')

    first.signal('SIGTERM')
    await Promise.race(streams.map(({ ended }) => ended))
    await sleep(3000)
    const ended = streams.filter((stream) => stream.hasEnded())
    expect(ended.length).toBeGreaterThan(0)
    for (const { events } of ended) {
      const { id = '' } = events.at(-1) ?? {}
      expect((await resume(open, id)).data).toMatchObject({ at: id })
    }
    expect((await second.request('GET', '/readyz')).status).toBe(200)
  })
})

/** Starts a proxy that passes a response on when it is complete. */
async function startCollectingProxy(target: string): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const forwarded = request(target + url, { method, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        outgoing.writeHead(response.statusCode ?? 502, response.headers).end(Buffer.concat(parts)),
      )
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

describe('behind a proxy that collects responses', () => {
  it('event streams do not open, and everything else works', async () => {
    const server = await startServerForTest()
    const project = await makeProject(server)
    const { token } = project.admin
    const url = await startCollectingProxy(server.url)
    const path = `/v1/projects/${project.id}`
    const clients = Array.from({ length: 5 }, () => openEventStream(url, `${path}/events`, { token }).catch(() => null))
    for (let count = 0; count < 5; count += 1) await makeTestCase(server, project)
    const list = await sendRequest<{ data: object[] }>(url, 'GET', `${path}/test-cases`, { token })
    expect(list.body.data).toHaveLength(5)
    expect(await Promise.race([...clients, sleep(1000, 'none has opened')])).toBe('none has opened')
  })
})

import { setTimeout as sleep } from 'node:timers/promises'

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { findFreePort } from '@caseward/embedded-postgres/find-free-port'
import {
  ADMIN_TOKEN,
  type CasewardProcess,
  getDatabaseUrl,
  startCaseward,
} from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import {
  findOrInstallLoadBalancers,
  startHaproxy,
  startNginx,
  startPlainBalancer,
  waitForBalancer,
} from '@caseward/test-support/load-balancers'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import { sendRequest } from '@caseward/test-support/send-request'
import { readGuideSettings } from './guide-settings.ts'

/* Restarts two servers in turn, with the delay that is the default, behind load balancers as docs/operating/load-balancers.md sets them up. */

/** How often each of the two servers is restarted. */
const ROUNDS = Number(process.env['RESTARTS'] ?? 2) / 2
const CLIENTS = 12
/** Between the requests of a client. Without it, they would keep all processors busy for minutes. */
const REQUEST_INTERVAL_MS = 10
/** Long enough for a load balancer to notice that a server is back. */
const PAUSE_MS = 2500

beforeAll(findOrInstallLoadBalancers, INSTALL_TIMEOUT_MS)

/** Prepares a project through the API, and returns requests that read and write. */
async function prepareRequests(url: string): Promise<(() => Promise<number>)[]> {
  const send = async (method: string, path: string, body?: unknown) =>
    await sendRequest<{ data: { id: string; token: string } }>(url, method, path, { token: ADMIN_TOKEN, body })
  const create = async (path: string, body: unknown) => (await send('POST', path, body)).body.data
  const path = `/v1/projects/${(await create('/v1/projects', { name: 'Web shop', prefix: 'WEB' })).id}`
  for (let count = 0; count < 10; count += 1) await create(`${path}/test-cases`, { title: 'A case' })
  const run = await create(`${path}/runs`, { name: 'Nightly' })
  const { token } = await create(`${path}/tokens`, { name: 'CI', access: 'write' })
  const upload = { run_id: run.id, results: [{ test_case_id: 'WEB-1', status: 'passed' }] }
  return [
    async () => (await send('GET', `${path}/test-cases`)).status,
    async () => (await send('POST', `${path}/test-cases`, { title: 'Another case' })).status,
    async () => (await send('PUT', `/v1/runs/${run.id}/results/WEB-2`, { status: 'failed' })).status,
    async () => (await sendRequest(url, 'POST', '/v1/results', { token, body: upload })).status,
  ]
}

/** Sends requests in parallel until `stop`, which returns how many there were, and a description of each failure. */
function startLoad(requests: readonly (() => Promise<number>)[]) {
  const end = new AbortController()
  let count = 0
  const failures: string[] = []
  const sendUntilOver = async (client: number) => {
    for (let turn = client; !end.signal.aborted; turn += 1) {
      const outcome = await requests[turn % requests.length]?.().catch(
        (error: Error) => `${error.message} ${String(error.cause)}`,
      )
      count += 1
      if (typeof outcome !== 'number' || outcome >= 300) failures.push(`request ${turn % requests.length}: ${outcome}`)
      await sleep(REQUEST_INTERVAL_MS)
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, client) => sendUntilOver(client))
  return {
    async stop() {
      end.abort()
      await Promise.all(clients)
      return { count, failures }
    },
  }
}

const balancers: [name: string, start: (port: number, serverPorts: [number, number]) => Promise<void>][] = [
  ['a plain load balancer', startPlainBalancer],
  ['nginx', async (port, serverPorts) => startNginx(await readGuideSettings('nginx', port, serverPorts))],
  ['HAProxy', async (port, serverPorts) => startHaproxy(await readGuideSettings('haproxy', port, serverPorts))],
]

describe('a rolling restart under load', () => {
  it.each(balancers)('fails no request behind %s', { timeout: 120_000 * ROUNDS }, async (_name, startBalancer) => {
    const { connection, drop } = await cloneDatabase()
    onTestFinished(drop)
    const startServer = (port: number) =>
      startCaseward({
        DATABASE_URL: getDatabaseUrl(connection),
        PORT: String(port),
        DATABASE_POOL_SIZE: '5',
        RATE_LIMIT: '1000000',
        RATE_LIMIT_OTHER: '1000000',
        // The default.
        SHUTDOWN_DELAY_MS: '',
      })
    const ports: [number, number] = [await findFreePort(), await findFreePort()]
    const servers: CasewardProcess[] = []
    for (const port of ports) servers.push(await startServer(port))
    const port = await findFreePort()
    await startBalancer(port, ports)
    const url = `http://127.0.0.1:${port}`
    await waitForBalancer(url)
    const load = startLoad(await prepareRequests(url))

    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, serverPort] of ports.entries()) {
        await sleep(PAUSE_MS)
        servers[index]?.signal('SIGTERM')
        expect(await servers[index]?.ended).toBe(0)
        servers[index] = await startServer(serverPort)
      }
    }
    await sleep(PAUSE_MS)
    const { count, failures } = await load.stop()
    expect(failures).toEqual([])
    expect(count).toBeGreaterThan(200)
  })
})

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
/** Of each load balancer. */
const CLIENTS = 4
/** Between the requests of a client, while a server stops. Without it, they would keep all processors busy. */
const REQUEST_INTERVAL_MS = 10
/** The same while no server stops, when little can go wrong. */
const QUIET_INTERVAL_MS = 150
/** Long enough for a load balancer to notice that a server is back. */
const PAUSE_MS = 2500

/** When every server knows the members of a new project. */
const MEMBERSHIP_DELAY_MS = 1000

beforeAll(findOrInstallLoadBalancers, INSTALL_TIMEOUT_MS)

/** Prepares a project through the API, and returns requests that read and write. */
async function prepareRequests(url: string): Promise<(() => Promise<number>)[]> {
  const send = async (method: string, path: string, body?: unknown) =>
    await sendRequest<{ data: { id: string; token: string } }>(url, method, path, { token: ADMIN_TOKEN, body })
  const create = async (path: string, body: unknown) => {
    const response = await send('POST', path, body)
    if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${JSON.stringify(response.body)}`)
    return response.body.data
  }
  const path = `/v1/projects/${(await create('/v1/projects', { name: 'Web shop', prefix: 'WEB' })).id}`
  // The other server may have read the projects of the user just before.
  await sleep(MEMBERSHIP_DELAY_MS)
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

interface Load {
  /** The number of requests so far. */
  count: number
  /** Describes each request that failed. */
  failures: string[]
  intervalMs: number
  stop(): Promise<void>
}

/** Sends requests in parallel through each load balancer, until `stop`. */
function startLoad(requests: ReadonlyMap<string, readonly (() => Promise<number>)[]>): Load {
  const end = new AbortController()
  const load: Load = {
    count: 0,
    failures: [],
    intervalMs: QUIET_INTERVAL_MS,
    async stop() {
      end.abort()
      await Promise.all(clients)
    },
  }
  const sendUntilOver = async (balancer: string, sends: readonly (() => Promise<number>)[], client: number) => {
    for (let turn = client; !end.signal.aborted; turn += 1) {
      const kind = turn % sends.length
      const outcome = await sends[kind]?.().catch((error: Error) => `${error.message} ${String(error.cause)}`)
      load.count += 1
      if (typeof outcome !== 'number' || outcome >= 300) load.failures.push(`${balancer}, request ${kind}: ${outcome}`)
      await sleep(load.intervalMs)
    }
  }
  const clients = [...requests].flatMap(([balancer, sends]) =>
    Array.from({ length: CLIENTS }, (_, client) => sendUntilOver(balancer, sends, client)),
  )
  return load
}

const balancers: [name: string, start: (port: number, serverPorts: [number, number]) => Promise<void>][] = [
  ['a plain load balancer', startPlainBalancer],
  ['nginx', async (port, serverPorts) => startNginx(await readGuideSettings('nginx', port, serverPorts))],
  ['HAProxy', async (port, serverPorts) => startHaproxy(await readGuideSettings('haproxy', port, serverPorts))],
]

/** Starts each load balancer in front of the servers, and prepares the requests of its clients. */
async function startBalancers(serverPorts: [number, number]) {
  const requests = new Map<string, (() => Promise<number>)[]>()
  for (const [name, start] of balancers) {
    const port = await findFreePort()
    await start(port, serverPorts)
    const url = `http://127.0.0.1:${port}`
    await waitForBalancer(url)
    requests.set(name, await prepareRequests(url))
  }
  return requests
}

describe('a rolling restart under load', () => {
  it(
    'fails no request behind a plain load balancer, nginx and HAProxy at once',
    { timeout: 240_000 * ROUNDS },
    async () => {
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
      const servers: CasewardProcess[] = await Promise.all(ports.map(startServer))
      const load = startLoad(await startBalancers(ports))
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [index, serverPort] of ports.entries()) {
          await sleep(PAUSE_MS)
          load.intervalMs = REQUEST_INTERVAL_MS
          servers[index]?.signal('SIGTERM')
          expect(await servers[index]?.ended).toBe(0)
          load.intervalMs = QUIET_INTERVAL_MS
          servers[index] = await startServer(serverPort)
        }
      }
      await sleep(PAUSE_MS)
      await load.stop()
      expect(load.failures).toEqual([])
      expect(load.count).toBeGreaterThan(600)
    },
  )
})

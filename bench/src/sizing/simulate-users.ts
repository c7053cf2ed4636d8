import { setTimeout as sleep } from 'node:timers/promises'

import { percentile95 } from '../measure.ts'
import { type Server, TOKEN } from '../servers.ts'
import { type Filled, SUITE_SIZE } from './fill-database.ts'

/** What a user of the web app does, as shares of all requests. Results are executed by hand in one of four requests. */
const MIX = [
  { share: 0.2, name: 'a page of results', send: readResults },
  { share: 0.15, name: 'a page of test cases', send: readTestCases },
  { share: 0.2, name: 'a test case', send: readTestCase },
  { share: 0.1, name: 'the projects', send: readProjects },
  { share: 0.1, name: 'a search', send: search },
  { share: 0.25, name: 'setting a result', send: setResult },
]

/** Between two requests of a user. */
const THINK_MS = 5000
/** What a user notices as immediate. */
const MAX_P95_MS = 200

type Send = (server: Server, filled: Filled) => Promise<Response>

const pick = (count: number) => 1 + Math.floor(Math.random() * count)
const pickRun = ({ runIds }: Filled) => runIds[pick(runIds.length) - 1] ?? ''
const headers = { authorization: `Bearer ${TOKEN}`, 'accept-encoding': 'gzip' }
const get = async (server: Server, path: string) => await fetch(server.url + path, { headers })

async function readResults(server: Server, filled: Filled): Promise<Response> {
  return await get(server, `/v1/runs/${pickRun(filled)}/results?per_page=100`)
}

async function readTestCases(server: Server, { projectId }: Filled): Promise<Response> {
  return await get(server, `/v1/projects/${projectId}/test-cases?per_page=100&page=${pick(SUITE_SIZE / 100)}`)
}

async function readTestCase(server: Server, { projectId }: Filled): Promise<Response> {
  return await get(server, `/v1/projects/${projectId}/test-cases/WEB-${pick(SUITE_SIZE)}`)
}

async function readProjects(server: Server): Promise<Response> {
  return await get(server, '/v1/projects')
}

async function search(server: Server): Promise<Response> {
  return await get(server, `/v1/search?q=${pick(SUITE_SIZE)}`)
}

async function setResult(server: Server, filled: Filled): Promise<Response> {
  return await fetch(`${server.url}/v1/runs/${pickRun(filled)}/results/WEB-${pick(SUITE_SIZE)}`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'passed' }),
  })
}

function chooseRequest(): Send {
  let position = Math.random()
  for (const { share, send } of MIX) {
    position -= share
    if (position < 0) return send
  }
  return readProjects
}

/** Sends one request of the mix and returns its duration in milliseconds. */
async function sendOne(server: Server, filled: Filled): Promise<number> {
  const start = performance.now()
  const response = await chooseRequest()(server, filled)
  const body = await response.text()
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${body.slice(0, 200)}`)
  return performance.now() - start
}

export interface UserLevel {
  users: number
  requestsPerSecond: number
  /** Infinity if more than one in twenty requests failed. */
  p95Ms: number
  /** Requests whose connection was lost, as happens when there are too many. */
  failed: number
}

/** Users that wait between their requests. The first wait is random, so that they do not act at the same moment. */
export async function simulateUsers(
  server: Server,
  filled: Filled,
  users: number,
  seconds: number,
): Promise<UserLevel> {
  const end = performance.now() + seconds * 1000
  const times: number[] = []
  const sendUnlessLost = () =>
    sendOne(server, filled).catch((error: unknown) => {
      // What `fetch` throws without a response.
      if (error instanceof TypeError && server.isAlive()) return Infinity
      throw error
    })
  const act = async () => {
    await sleep(Math.random() * THINK_MS)
    while (performance.now() < end) {
      times.push(await sendUnlessLost())
      await sleep(THINK_MS * (0.5 + Math.random()))
    }
  }
  await Promise.all(Array.from({ length: users }, act))
  const failed = times.filter((time) => time === Infinity).length
  const requestsPerSecond = (times.length - failed) / (seconds + THINK_MS / 2000)
  return { users, requestsPerSecond, p95Ms: percentile95(times), failed }
}

/** Doubles the number of users until responses are slow twice in a row, and returns all levels. */
export async function findMaxUsers(server: Server, filled: Filled, seconds: number): Promise<UserLevel[]> {
  const levels: UserLevel[] = []
  for (let users = 50; users <= 12_800; users *= 2) {
    const level = await simulateUsers(server, filled, users, seconds)
    levels.push(level)
    if (levels.length > 1 && !levels.slice(-2).some(isFastEnough)) break
  }
  return levels
}

/** Requests per second of the mix with `connections` that do not wait. */
export async function measureMixRate(
  server: Server,
  filled: Filled,
  connections: number,
  seconds: number,
): Promise<number> {
  const end = performance.now() + seconds * 1000
  let count = 0
  const repeat = async () => {
    while (performance.now() < end) {
      await sendOne(server, filled)
      count += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, repeat))
  return count / seconds
}

export const isFastEnough = ({ p95Ms, failed }: UserLevel): boolean => p95Ms <= MAX_P95_MS && failed === 0

/** Describes the mix in one line. */
export const formatMix = (): string =>
  `${MIX.map(({ share, name }) => `${share * 100} % ${name}`).join(', ')}; a request every ${THINK_MS / 1000} s for each user`

import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Connection } from '@caseward/embedded-postgres'
import type pg from 'pg'

import type { SeededProject } from './seed.ts'
import { type Server, startCaseward, TOKEN } from './servers.ts'

const STREAMS = 1000
/** Below the limit of one user. */
const STREAMS_PER_USER = 25
/** Time for a server to finish its start, and for its memory to settle. */
const SETTLE_MS = 5000
/** Contains a comment to each stream. */
const IDLE_MS = 30_000
const RESULTS = 100

/** The cost of open event streams, and how soon their clients know of a result. */
export async function observeEvents(connection: Connection, client: pg.Client, seeded: SeededProject) {
  const tokens = await createViewers(client, seeded)
  const server = await startCaseward(connection, ['--expose-gc'])
  const streams: Stream[] = []
  try {
    await getMe(server)
    await sleep(SETTLE_MS)
    // The measurement of blocked times takes processor time, too.
    const cpuWithoutMs = await measureCpuMs(server, IDLE_MS)
    const rssWithoutMb = await measureRssMb(server)
    for (let index = 0; index < STREAMS; index += 1) {
      const token = tokens[index % tokens.length] ?? ''
      const path = index % 2 === 0 ? `/v1/runs/${seeded.runId}/events` : `/v1/projects/${seeded.projectId}/events`
      streams.push(await openStream(`${server.url}${path}`, token))
    }
    await sleep(SETTLE_MS)
    const cpuMs = await measureCpuMs(server, IDLE_MS)
    const rssMb = await measureRssMb(server)
    const latencies = await measureLatencies(server, seeded, streams)
    return {
      addedMb: rssMb - rssWithoutMb,
      addedCpuPercent: (100 * (cpuMs - cpuWithoutMs)) / IDLE_MS,
      firstMs: latencies.map(({ firstMs }) => firstMs),
      allMs: latencies.map(({ allMs }) => allMs),
    }
  } finally {
    for (const { close } of streams) close()
    await server.close()
  }
}

/** The resident memory of a server without garbage. */
async function measureRssMb(server: Server): Promise<number> {
  server.collectGarbage()
  await sleep(1000)
  return (await server.getStats()).rssMb
}

/** The processor time of a server in a period. */
async function measureCpuMs(server: Server, periodMs: number): Promise<number> {
  const { cpuMs: before } = await server.getStats()
  await sleep(periodMs)
  return (await server.getStats()).cpuMs - before
}

async function createViewers(client: pg.Client, { projectId }: SeededProject): Promise<string[]> {
  const tokens = Array.from({ length: STREAMS / STREAMS_PER_USER }, () => `bench-${randomUUID()}`)
  for (const token of tokens) {
    const userId = randomUUID()
    await client.query(`insert into users (id, email, name) values ($1, $2, 'Viewer')`, [
      userId,
      `${userId}@example.test`,
    ])
    await client.query(`insert into memberships (project_id, user_id, role) values ($1, $2, 'viewer')`, [
      projectId,
      userId,
    ])
    await client.query(
      `insert into api_tokens (id, kind, user_id, name, access, secret_hash) values ($1, 'personal', $2, 'bench', 'read', $3)`,
      [randomUUID(), userId, createHash('sha256').update(token).digest()],
    )
  }
  return tokens
}

async function getMe({ url }: Server): Promise<void> {
  await (await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${TOKEN}` } })).text()
}

interface Stream {
  /** Resolves with the time at which the next results arrive. */
  nextResults(): Promise<number>
  close(): void
}

async function openStream(url: string, token: string): Promise<Stream> {
  const outgoing = request(url, { agent: false, headers: { authorization: `Bearer ${token}` } }).end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`The stream was refused with ${response.statusCode}`)
  let receive: ((at: number) => void) | null = null
  response.setEncoding('utf8').on('error', () => {})
  response.on('data', (text: string) => {
    if (text.includes('event: results')) receive?.(performance.now())
  })
  outgoing.on('error', () => {})
  return {
    nextResults: () => new Promise((resolve) => (receive = resolve)),
    close: () => void outgoing.destroy(),
  }
}

/** The time from the response to a request that sets a result to its arrival at the first stream and at all. */
async function measureLatencies({ url }: Server, { runId }: SeededProject, streams: readonly Stream[]) {
  const latencies: { firstMs: number; allMs: number }[] = []
  for (let round = 0; round < RESULTS; round += 1) {
    const arrivals = streams.map((stream) => stream.nextResults())
    const response = await fetch(`${url}/v1/runs/${runId}/results/WEB-${round + 1}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'passed', note: 'Checked by hand' }),
    })
    const storedAt = performance.now()
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
    await response.text()
    const times = await Promise.all(arrivals)
    const firstMs = Math.max(0, Math.min(...times) - storedAt)
    latencies.push({ firstMs, allMs: Math.max(0, Math.max(...times) - storedAt) })
    // A tester needs longer; some results follow within the time that collects them.
    await sleep(100 + (round % 10) * 30)
  }
  return latencies
}

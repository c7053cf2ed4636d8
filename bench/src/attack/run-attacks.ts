import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import pg from 'pg'

import { seedProject, vacuumAnalyze } from '../seed.ts'
import { type Server, startCaseward, startPostgres, TOKEN } from '../servers.ts'
import { createCiToken } from '../uploads.ts'
import { attacks } from './attacks.ts'
import { prepareXmlUpload, send, type Target } from './client.ts'
import type { Health } from './health-probe.ts'
import { createOtherCaller } from './other-caller.ts'

/** What an attack did to the service. */
export interface AttackResult {
  name: string
  statuses: Record<string, number>
  seconds: number
  /** The maximum of its resident memory. */
  peakRssMb: number
  /** The longest time that its event loop was blocked. */
  blockedMs: number
  /** The slowest response of `/healthz`, and how many there were none. */
  slowestHealthMs: number
  healthFailures: number
  /** The time until an upload by another client succeeded after the attack; null if it did not. */
  recoveredMs: number | null
  /** The slowest request of another caller meanwhile, and how many were refused; 0 in attacks that are not about others. */
  slowestOtherMs: number
  otherFailures: number
  isAlive: boolean
}

/** The heap of the service under attack. */
const NODE_OPTIONS = ['--max-old-space-size=1024']
/** So few event streams that one project could take them all; the proxy lets clients have addresses of their own. */
const SETTINGS = { MAX_EVENT_STREAMS: '150', TRUST_PROXY: '1' }
const CASES = 100_000
const MIN_CASES = 1000
/** Time for a server to finish its start. */
const SETTLE_MS = 2000
const RECOVERY_MS = 30_000

/**
 * Runs attacks one after the other against one service with a heap of 1 GB.
 * @param scale 1 for the full size, 0.1 for a tenth of the clients
 * @param names the attacks to run; all by default
 */
export async function runAttacks(
  scale: number,
  names: readonly string[],
  onResult: (result: AttackResult) => void,
): Promise<AttackResult[]> {
  const postgres = await startPostgres()
  const client = new pg.Client(postgres.connection)
  const server = await startCaseward(postgres.connection, NODE_OPTIONS, SETTINGS)
  const probe = fork(fileURLToPath(new URL('health-probe.js', import.meta.url)), [`${server.url}/healthz`])
  try {
    await client.connect()
    const seeded = await seedProject(client, Math.max(MIN_CASES, CASES * scale))
    await vacuumAnalyze(client)
    const ciToken = await createCiToken(server, seeded)
    const target: Target = {
      url: server.url,
      token: TOKEN,
      ciToken,
      projectId: seeded.projectId,
      runId: seeded.runId,
      other: await createOtherCaller(server.url, client),
      otherCost: { slowestMs: 0, failures: 0 },
    }
    await sleep(SETTLE_MS)
    const results: AttackResult[] = []
    for (const name of names) {
      const result = await runAttack(name, { target, server, probe, scale })
      results.push(result)
      onResult(result)
      if (!result.isAlive) break
    }
    return results
  } finally {
    probe.kill()
    await client.end()
    if (server.isAlive()) await server.close()
    await postgres.close()
  }
}

interface AttackOptions {
  target: Target
  server: Server
  probe: ChildProcess
  scale: number
}

async function runAttack(name: string, { target, server, probe, scale }: AttackOptions): Promise<AttackResult> {
  const attack = attacks[name]
  if (attack === undefined) throw new Error(`Unknown attack: ${name}`)
  server.resetPeak()
  await server.getStats()
  await takeHealth(probe)
  const otherCost = { slowestMs: 0, failures: 0 }
  const startedAt = performance.now()
  const statuses = await attack({ ...target, otherCost }, (count) => Math.ceil(count * scale))
  const seconds = (performance.now() - startedAt) / 1000
  const recoveredMs = await measureRecovery(target)
  const isAlive = server.isAlive()
  const { slowestMs, failures } = await takeHealth(probe)
  const stats = isAlive ? await server.getStats() : { peakRssMb: Number.NaN, blockedMs: Number.NaN }
  return {
    name,
    statuses: Object.fromEntries([...statuses].toSorted(([a], [b]) => a.localeCompare(b))),
    seconds,
    peakRssMb: stats.peakRssMb,
    blockedMs: stats.blockedMs,
    slowestHealthMs: slowestMs,
    healthFailures: failures,
    recoveredMs,
    slowestOtherMs: otherCost.slowestMs,
    otherFailures: otherCost.failures,
    isAlive,
  }
}

/** Uploads until it succeeds: memory that an attack did not give back would show here. */
async function measureRecovery(target: Target): Promise<number | null> {
  const upload = prepareXmlUpload(target, Buffer.from(`<testsuite>${' '.repeat(1_000_000)}</testsuite>`))
  const startedAt = performance.now()
  while (performance.now() - startedAt < RECOVERY_MS) {
    if ((await send(target, upload)) === '200') return performance.now() - startedAt
    await sleep(100)
  }
  return null
}

async function takeHealth(probe: ChildProcess): Promise<Health> {
  probe.send('report')
  const [health] = (await once(probe, 'message')) as [Health]
  return health
}

import { randomBytes } from 'node:crypto'

import type { Connection } from '@caseward/embedded-postgres'
import { connect } from '@caseward/server/platform/database/connect'
import { distributeDatabase } from '@caseward/server/features/distribution/distribute-database'
import {
  type CitusCluster,
  createCitusDatabase,
  dropCitusDatabase,
  findCitusCluster,
  runOnNodes,
} from '@caseward/test-support/citus-cluster'
import pg from 'pg'

import { type SeededProject, seedProject, vacuumAnalyze } from './seed.ts'
import { type Server, startCaseward } from './servers.ts'
import { createCiToken, createResults, upload } from './uploads.ts'

const PROJECTS = 8
const CASES = 10_000
const SECONDS = 10
const SIZES = [100, 10_000] as const

/**
 * Compares uploads per second of a plain database with those of the same database distributed to one and to two workers. All
 * are on the servers of the cluster at `CITUS_URL`. Eight clients upload at the same time, each to a project of its own.
 */
export async function measureCitus(citusUrl: string, printLine: (text: string) => void): Promise<string> {
  const { coordinator, workers } = await findCitusCluster(citusUrl)
  const setups = [
    ['plain database', { coordinator, workers: [] }],
    ['one worker', { coordinator, workers: workers.slice(0, 1) }],
    ...(workers.length > 1 ? [['two workers', { coordinator, workers: workers.slice(0, 2) }] as const] : []),
  ] as const
  const rows: string[] = []
  for (const [title, cluster] of setups) {
    const rates = await measureSetup(cluster)
    const row = `| ${title} | ${rates.map((rate) => rate.toFixed(1)).join(' | ')} |`
    printLine(row)
    rows.push(row)
  }
  const columns = SIZES.map((size) => `Uploads of ${size.toLocaleString('en')} results per second`)
  return [`| Database | ${columns.join(' | ')} |`, '| --- | ---: | ---: |', ...rows].join('\n')
}

async function measureSetup(cluster: CitusCluster): Promise<number[]> {
  const name = `caseward_bench_${randomBytes(4).toString('hex')}`
  const connection = { ...cluster.coordinator, database: name } as Connection
  const isDistributed = cluster.workers.length > 0
  await (isDistributed
    ? createCitusDatabase(cluster, name)
    : runOnNodes(cluster, 'postgres', `create database ${name}`))
  const client = new pg.Client(connection)
  const caseward = await startCaseward(connection)
  await client.connect()
  try {
    // The service is running, as it is when an operator distributes its database.
    if (isDistributed) await distribute(connection)
    const projects: SeededProject[] = []
    while (projects.length < PROJECTS) projects.push(await seedProject(client, CASES))
    await vacuumAnalyze(client)
    const rates: number[] = []
    for (const size of SIZES) rates.push(await measureRate(caseward, projects, size))
    return rates
  } finally {
    await client.end()
    await caseward.close()
    await dropCitusDatabase(cluster, name)
  }
}

async function distribute(connection: Connection): Promise<void> {
  const { db, close } = connect(connection, { poolSize: 1, onError: console.error })
  await distributeDatabase(db)
  await close()
}

/** Uploads per second of all clients together. */
async function measureRate(server: Server, projects: readonly SeededProject[], size: number): Promise<number> {
  const clients = await Promise.all(
    projects.map(async (project) => {
      const token = await createCiToken(server, project)
      const bodies = [1, 2].map((round) =>
        JSON.stringify({ run_id: project.runId, results: createResults(size, round) }),
      )
      return { token, bodies }
    }),
  )
  // The first uploads compile code, and prepare statements.
  for (const { token, bodies } of clients) for (const body of bodies) await upload(server, token, body)
  const start = performance.now()
  const deadline = start + SECONDS * 1000
  let count = 0
  await Promise.all(
    clients.map(async ({ token, bodies }) => {
      for (let round = 0; performance.now() < deadline; round += 1) {
        await upload(server, token, bodies[round % bodies.length] ?? '')
        count += 1
      }
    }),
  )
  return (count * 1000) / (performance.now() - start)
}

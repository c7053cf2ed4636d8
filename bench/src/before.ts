import { readFile } from 'node:fs/promises'

import pg from 'pg'

import { costFigure, type Figure } from './figures.ts'
import { median } from './measure.ts'
import { postponeJobs } from './postponed-jobs.ts'
import { headers } from './rich-cases-projects.ts'
import { createRun } from './runs.ts'
import { seedProject, type SeededProject, vacuumAnalyze } from './seed.ts'
import { type Server, startCaseward, startCasewardOf, startPostgres } from './servers.ts'
import { createCiToken, createResults, upload } from './uploads.ts'

/** A service on a database of its own. */
interface Checkout {
  server: Server
  client: pg.Client
  seeded: SeededProject
  token: string
}

/** 2 % more, which is 0.98 times the rate. */
const MOST = 1.02
const ROUNDS = 41

/** What is compared, each done `count` times in a round. */
const WORK: Record<string, { count: number; run: (checkout: Checkout, round: number) => Promise<unknown> }> = {
  'Reading a test case': {
    count: 60,
    run: (checkout, round) => read(checkout, `/v1/projects/${checkout.seeded.projectId}/test-cases/WEB-${round + 77}`),
  },
  'A list of 50 test cases': {
    count: 30,
    run: (checkout) => read(checkout, `/v1/projects/${checkout.seeded.projectId}/test-cases?per_page=50`),
  },
  'A list of 50 results': {
    count: 30,
    run: (checkout) => read(checkout, `/v1/runs/${checkout.seeded.runId}/results?per_page=50`),
  },
  'Uploading 1,000 results': {
    count: 2,
    run: ({ server, token, seeded }, round) =>
      upload(server, token, JSON.stringify({ run_id: seeded.runId, results: createResults(1000, round) })),
  },
  'Creating a run of 2,000 test cases': { count: 1, run: ({ server, seeded }) => createRun(server, seeded.projectId) },
}

/**
 * Compares this service with that of another checkout, which is built, on one PostgreSQL: in a project that uses nothing that only one
 * of them knows. The processor time of the service and of its connections counts, which depends least on what else the machine does.
 */
export async function compareWithCheckout(directory: string, printLine: (text: string) => void): Promise<Figure[]> {
  const postgres = await startPostgres()
  const client = new pg.Client(postgres.connection)
  await client.connect()
  await client.query('create database before')
  const now = await openCheckout(postgres.connection, await startCaseward(postgres.connection))
  const connection = { ...postgres.connection, database: 'before' }
  const before = await openCheckout(connection, await startCasewardOf(directory, connection))
  try {
    const figures: Figure[] = []
    for (const [what, { count, run }] of Object.entries(WORK)) {
      printLine(what)
      const times: { now: number; before: number }[] = []
      for (let round = -3; round < ROUNDS; round += 1) {
        // Each is first in turn.
        const first = await measureCpu(round % 2 === 0 ? now : before, count, (checkout) => run(checkout, round + 3))
        const second = await measureCpu(round % 2 === 0 ? before : now, count, (checkout) => run(checkout, round + 3))
        if (round >= 0) times.push(round % 2 === 0 ? { now: first, before: second } : { now: second, before: first })
      }
      const figure = costFigure(
        `0. ${what}; reference: the other checkout`,
        median(times.map((time) => time.now)) / count,
        median(times.map((time) => time.before)) / count,
        MOST,
      )
      figures.push({ ...figure, value: median(times.map((time) => time.now / time.before)) })
    }
    return figures
  } finally {
    for (const checkout of [now, before]) {
      await checkout.client.end()
      await checkout.server.close()
    }
    await client.end()
    await postgres.close()
  }
}

async function openCheckout(connection: pg.ClientConfig, server: Server): Promise<Checkout> {
  const client = new pg.Client(connection)
  await client.connect()
  const seeded = await seedProject(client, 2000)
  await vacuumAnalyze(client)
  // Not every version evaluates uploads.
  await postponeJobs(client)
  while (!(await fetch(`${server.url}/v1/projects/${seeded.projectId}`, { headers })).ok) {
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  return { server, client, seeded, token: await createCiToken(server, seeded) }
}

async function read({ server }: Checkout, path: string): Promise<void> {
  const response = await fetch(server.url + path, { headers })
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  await response.arrayBuffer()
}

/** The processor time that the service and its connections take for some requests, in microseconds. */
async function measureCpu(
  checkout: Checkout,
  count: number,
  run: (checkout: Checkout) => Promise<unknown>,
): Promise<number> {
  const start = await readCpu(checkout)
  for (let index = 0; index < count; index += 1) await run(checkout)
  return (await readCpu(checkout)) - start
}

async function readCpu({ client, server }: Checkout): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() order by pid',
  )
  let microseconds = (await server.getStats()).cpuMs * 1000
  for (const { pid } of rows) {
    // A connection may have ended since.
    const [nanoseconds] = (await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '0')).split(' ')
    microseconds += Number(nanoseconds) / 1000
  }
  return microseconds
}

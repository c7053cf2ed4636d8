import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Connection } from '@caseward/embedded-postgres'
import { readConfig } from '@caseward/server/config'
import { createSweepJob } from '@caseward/server/features/files/sweep-files'
import { connect } from '@caseward/server/platform/database/connect'
import type pg from 'pg'

import { vacuumAnalyze } from './seed.ts'
import { type Server, TOKEN } from './servers.ts'

const FILES = 1_000_000
const UNREFERENCED = 10_000
/** For the requests before the sweep. */
const QUIET_MS = 5000

/** Files of which most are attached to a run; the others lost their last attachment. They have no contents. */
async function seedFiles(client: pg.Client, projectId: string): Promise<void> {
  await client.query(`insert into projects (id, name, prefix, member_count) values ($1, 'Sweep', 'SWE', 0)`, [
    projectId,
  ])
  await client.query(
    `insert into files (project_id, id, digest, byte_count, media_type, kind)
     select $1, uuid_v7_in_batch(now(), n), sha256(n::text::bytea), 200000, 'image/png', 1 from generate_series(1, $2::int) n`,
    [projectId, FILES],
  )
  await client.query(
    `insert into run_attachments (project_id, run_id, id, name, file_id)
     select project_id, $1, id, 'shot.png', id from files where project_id = $2 order by id offset $3`,
    [randomUUID(), projectId, UNREFERENCED],
  )
  await client.query(
    `insert into file_candidates (project_id, file_id)
     select project_id, id from files where project_id = $1 order by id limit $2`,
    [projectId, UNREFERENCED],
  )
  await vacuumAnalyze(client)
}

const percentile99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN

/** Requests of a run over and over. @returns a function that stops, and returns the 99th percentile of their times */
function startRequests({ url }: Server, runId: string): () => Promise<number> {
  const times: number[] = []
  const stopped = new AbortController()
  const work = async () => {
    while (!stopped.signal.aborted) {
      const start = performance.now()
      const response = await fetch(`${url}/v1/runs/${runId}`, { headers: { authorization: `Bearer ${TOKEN}` } })
      await response.arrayBuffer()
      times.push(performance.now() - start)
      // Not as many as possible: the sweep shares the processors with them.
      await sleep(5)
    }
  }
  const working = Promise.all([work(), work()])
  return async () => {
    stopped.abort()
    await working
    return percentile99(times)
  }
}

/** Sweeps the files of a large database, in this process: its time, the memory that it adds, and requests meanwhile. */
export async function observeSweep(
  connection: Connection,
  client: pg.Client,
  { server, runId, filesDir }: { server: Server; runId: string; filesDir: string },
) {
  const projectId = randomUUID()
  await seedFiles(client, projectId)
  const { db, close } = connect(connection, { poolSize: 2, onError: () => {} })
  const job = createSweepJob({ ...readConfig({}), filesDir, fileDeleteDays: 0 }, { warn: console.warn })
  try {
    const stopQuiet = startRequests(server, runId)
    await sleep(QUIET_MS)
    const quietMs = await stopQuiet()
    const before = process.memoryUsage.rss()
    let peak = before
    const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20)
    const stop = startRequests(server, runId)
    const start = performance.now()
    await job.run(db, new AbortController().signal)
    const seconds = (performance.now() - start) / 1000
    clearInterval(sampling)
    const busyMs = await stop()
    const { rows } = await client.query<{ left: number }>(
      'select count(*)::int as left from files where project_id = $1',
      [projectId],
    )
    if (rows[0]?.left !== FILES - UNREFERENCED) throw new Error(`The sweep has left ${rows[0]?.left} files`)
    return { seconds, addedMb: (peak - before) / 1_048_576, quietMs, busyMs }
  } finally {
    await close()
  }
}

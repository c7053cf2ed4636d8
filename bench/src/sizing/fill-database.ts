import type pg from 'pg'

import { createRun } from '../runs.ts'
import { seedProject, type SeededProject, vacuumAnalyze } from '../seed.ts'
import type { Server } from '../servers.ts'
import { createCiToken, createJUnitReport, upload } from '../uploads.ts'

/** Test cases of the project, and results of each run. */
export const SUITE_SIZE = 10_000

export interface Filled extends SeededProject {
  runIds: string[]
  token: string
  /** Write-ahead log that one result takes: creating its run, and the upload. */
  walBytesPerResult: number
}

/** Creates a project, and runs that are reported as CI does: by JUnit XML, of which 5 % failed, with stack traces. */
export async function fillDatabase(client: pg.Client, server: Server, runs: number): Promise<Filled> {
  const seeded = await seedProject(client, SUITE_SIZE)
  const token = await createCiToken(server, seeded)
  const runIds: string[] = []
  const before = await selectWalPosition(client)
  for (let round = 0; round < runs; round += 1) {
    const runId = await createRun(server, seeded.projectId)
    await upload(server, token, createJUnitReport(SUITE_SIZE, round), `?run_id=${runId}`)
    runIds.push(runId)
  }
  const walBytes = (await selectWalPosition(client)) - before
  await vacuumAnalyze(client)
  return { ...seeded, runIds, token, walBytesPerResult: walBytes / (runs * SUITE_SIZE) }
}

/** Adds entries to the audit log: copies of what the service has written, with other ids. */
export async function addAuditEntries(client: pg.Client, count: number): Promise<void> {
  await client.query(
    `insert into audit_log
     select (jsonb_populate_record(entry, jsonb_build_object('id', uuid_v7_in_batch(now(), n::int)))).*
     from (select row_number() over (order by id) as position, count(*) over () as total, audit_log as entry
           from audit_log) entries
     join generate_series(1, $1::int) n on n % total = position - 1`,
    [count],
  )
}

async function selectWalPosition(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`,
  )
  return Number(rows[0]?.bytes)
}

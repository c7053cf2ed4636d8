import { setTimeout as sleep } from 'node:timers/promises'

import type pg from 'pg'

import { median, takeTurns } from './measure.ts'
import { createRun } from './runs.ts'
import { seedRun, type SeededProject } from './seed.ts'
import type { Server } from './servers.ts'
import { createCiToken, createResults, type SentResult, upload } from './uploads.ts'

/** What an upload of a whole run costs PostgreSQL, apart from time. */
export interface UploadStorage {
  /** Share of the updates that stay on their page and write to no index (HOT). */
  hotShare: number
  walMb: number
}

export interface RunStorage {
  creationWalMb: number
  first: UploadStorage
  /** The second upload; one test in twenty fails with a stack trace. */
  second: UploadStorage
  /** What the bare statements that write the same rows write to the log. */
  bare: { creationWalMb: number; secondWalMb: number }
  /** Growth of the table and its indexes, for each result. */
  bytesPerResult: number
}

const STACK_TRACE = Array.from(
  { length: 12 },
  (_, depth) => `    at Object.step${depth} (/home/ci/shop/src/checkout/checkout-${depth}.test.ts:${depth * 7}:13)`,
).join('\n')

/** Observes a run from its creation until its second upload. */
export async function observeRunStorage(
  client: pg.Client,
  server: Server,
  seeded: SeededProject,
  results: number,
): Promise<RunStorage> {
  const token = await createCiToken(server, seeded)
  // Pages that change for the first time after a checkpoint are logged as a whole: this is done before what is measured.
  await seedRun(client, seeded.projectId)
  const sizeBefore = await selectSize(client)
  const runId = await createRun(server, seeded.projectId)
  const observe = async (body: object[]): Promise<UploadStorage> => {
    const before = await selectUpdates(client)
    const walMb = await measureWal(client, () =>
      upload(server, token, JSON.stringify({ run_id: runId, results: body })),
    )
    return { hotShare: await waitForHotShare(client, before, results), walMb }
  }
  const first = await observe(createResults(results, 1))
  const later = createResults(results, 2).map((result) =>
    result.note === null ? result : { ...result, note: `${result.note}\n${STACK_TRACE}` },
  )
  const second = await observe(later)
  const bytesPerResult = ((await selectSize(client)) - sizeBefore) / results
  const bareRunId = await seedRun(client, seeded.projectId)
  await upload(server, token, JSON.stringify({ run_id: bareRunId, results: createResults(results, 1) }))
  const secondWalMb = await measureWal(client, () => replaceResults(client, bareRunId, later))
  // Last, because so much is logged that a checkpoint may follow.
  const creations = await compareCreations(client, server, seeded)
  const bare = { creationWalMb: creations.bare, secondWalMb }
  return { creationWalMb: creations.caseward, first, second, bytesPerResult, bare }
}

const CREATIONS = 8

/**
 * Compares what creating a run logs, in megabytes. Each run of a group adds to the same pages of an index, which split with some of
 * them: a single run logs up to 1.5 times as much as the one before, with the service as with the bare statement.
 */
async function compareCreations(client: pg.Client, server: Server, { projectId }: SeededProject) {
  const create = {
    caseward: () => createRun(server, projectId),
    bare: () => seedRun(client, projectId),
  }
  const logged = await takeTurns(CREATIONS, create, (createOne) => measureWal(client, createOne))
  return { caseward: median(logged.caseward), bare: median(logged.bare) }
}

/** The bare statement that keeps what results were, and replaces them. */
async function replaceResults(client: pg.Client, runId: string, results: readonly SentResult[]): Promise<void> {
  await client.query(
    `with input as materialized (
       select * from unnest($2::int[], $3::result_status[], $4::text[], $5::int[]) as input (case_number, status, note, elapsed)
     ), kept as (
       insert into result_changes (project_id, run_id, result_id, place, status, note, elapsed, tested_at, replaced_at)
       select r.project_id, r.run_id, r.id, 0, r.status, r.note, r.elapsed, r.tested_at, now()
       from input join test_results r on r.case_number = input.case_number and r.run_id = $1
       where (r.status, r.note) is distinct from (input.status, input.note)
     )
     update test_results r set previous_status = r.status, status = input.status, note = input.note, elapsed = input.elapsed,
       tested_at = now(), changed_at = now(),
       change_count = r.change_count + ((r.status, r.note) is distinct from (input.status, input.note))::int
     from input where r.case_number = input.case_number and r.run_id = $1`,
    [
      runId,
      results.map((_, index) => index + 1),
      results.map(({ status }) => status),
      results.map(({ note }) => note),
      results.map(({ elapsed }) => elapsed),
    ],
  )
}

async function measureWal(client: pg.Client, work: () => Promise<unknown>): Promise<number> {
  const select = 'select pg_current_wal_insert_lsn() as position'
  const { rows: before } = await client.query<{ position: string }>(select)
  await work()
  const { rows } = await client.query<{ bytes: string }>(
    'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1) as bytes',
    [before[0]?.position],
  )
  return Number(rows[0]?.bytes) / 1024 / 1024
}

async function selectSize(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ size: string }>(`select pg_total_relation_size('test_results') as size`)
  return Number(rows[0]?.size)
}

interface Updates {
  updates: number
  hot: number
}

async function selectUpdates(client: pg.Client): Promise<Updates> {
  const { rows } = await client.query<Updates>(
    `select n_tup_upd::int as updates, n_tup_hot_upd::int as hot from pg_stat_user_tables where relname = 'test_results'`,
  )
  return rows[0] ?? { updates: 0, hot: 0 }
}

/** A connection reports its statistics up to ten seconds after its statement. */
async function waitForHotShare(client: pg.Client, before: Updates, expected: number): Promise<number> {
  for (let attempt = 0; attempt < 150; attempt += 1) {
    const { updates, hot } = await selectUpdates(client)
    if (updates - before.updates >= expected) return (hot - before.hot) / (updates - before.updates)
    await sleep(100)
  }
  throw new Error('PostgreSQL did not report the updates')
}

import { createHash } from 'node:crypto'

import type pg from 'pg'

import { measureInterleaved } from './measure.ts'
import { seedProject, seedRun, type SeededProject, vacuumAnalyze } from './seed.ts'
import { type Server, TOKEN } from './servers.ts'
import { upload } from './uploads.ts'

const COUNT = 10_000

interface BenchTest {
  suite: string
  name: string
  status: 'passed' | 'failed'
  message: string
}

/** The tests of a suite, of which one in twenty fails, others in each round. */
const createTests = (round: number, prefix = ''): BenchTest[] =>
  Array.from({ length: COUNT }, (_, index) => {
    const isFailed = (index + round) % 20 === 0
    return {
      suite: `src/${prefix}shop-${index % 200}.test.ts`,
      name: `${prefix}Shop ${index % 50} > pays for item ${index}`,
      status: isFailed ? 'failed' : 'passed',
      message: isFailed ? `AssertionError in round ${round}: expected ${index}` : '',
    }
  })

const toJson = (runId: string, tests: readonly BenchTest[], fields: object = {}): string =>
  JSON.stringify({
    run_id: runId,
    format: 'tests',
    tests: tests.map(({ suite, name, status, message }) => ({
      suite,
      file: suite,
      name,
      attempts: [{ status, elapsed_ms: 12, ...(message === '' ? {} : { message }) }],
    })),
    ...fields,
  })

const toJUnit = (tests: readonly BenchTest[]): string => {
  const cases = tests.map(({ suite, name, message }) => {
    const open = `<testcase classname="${suite}" name="${name.replace('>', '&gt;')}" time="0.012"`
    return message === '' ? `${open}/>` : `${open}><failure message="${message}"/></testcase>`
  })
  return `<testsuites><testsuite name="shop">\n${cases.join('\n')}\n</testsuite></testsuites>`
}

/** Creates a CI token whose uploads may create test cases. */
async function createToken({ url }: Server, projectId: string): Promise<string> {
  const response = await fetch(`${url}/v1/projects/${projectId}/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench', grants: ['cases:create'] }),
  })
  const { data } = (await response.json()) as { data: { token: string } }
  return data.token
}

/** The statements that write the outcomes of known tests and the results of their test cases, in one transaction. */
async function writeKnown(
  client: pg.Client,
  { projectId, runId }: SeededProject,
  tests: readonly BenchTest[],
  testIds: readonly string[],
): Promise<void> {
  await client.query('begin')
  await client.query(
    `insert into test_outcomes
       (project_id, run_id, test_id, status, is_flaky, is_matched, elapsed_ms, attempt_count, tested_at, attempts)
     select $1, $2, i.test_id, i.status, false, true, 12, 1, now(), i.attempts
     from unnest($3::uuid[], $4::attempt_status[], $5::json[]) i (test_id, status, attempts)`,
    [projectId, runId, testIds, tests.map(({ status }) => status), tests.map(toAttempts)],
  )
  await client.query(
    `with written as (
       update test_results r set status = i.status, note = i.note, elapsed = 0, tested_by = null, tested_at = now(),
         previous_status = r.status, changed_at = statement_timestamp(), change_count = r.change_count
       from unnest($3::int[], $4::result_status[], $5::text[]) i (case_number, status, note)
       where r.project_id = $1 and r.run_group = (select run_group from runs where id = $2)
         and r.case_number = i.case_number and r.run_id = $2
       returning r.status, r.previous_status
     ), changed as (
       select count(*) filter (where status = 'passed') - count(*) filter (where previous_status = 'passed') as passed,
         count(*) filter (where status = 'failed') - count(*) filter (where previous_status = 'failed') as failed,
         count(*) filter (where previous_status = 'not_tested') as tested
       from written
     )
     update runs set passed_count = passed_count + passed, failed_count = failed_count + failed,
       not_tested_count = not_tested_count - tested, updated_at = now()
     from changed where id = $2`,
    [
      projectId,
      runId,
      tests.map((_, index) => index + 1),
      tests.map(({ status }) => status),
      tests.map(({ message }) => (message === '' ? null : message)),
    ],
  )
  await recordUpload(client, projectId, runId)
  await client.query('commit')
}

/** Records the upload, and counts its tests. */
async function recordUpload(client: pg.Client, projectId: string, runId: string): Promise<void> {
  await client.query(
    `with run as (
       update runs set passed_test_count = $3::int * 19 / 20, failed_test_count = $3::int / 20, upload_count = upload_count + 1,
         source_count = 1, last_upload_at = now()
       where id = $2 returning upload_count
     )
     insert into run_uploads (
       project_id, run_id, number, source, source_digest, job, instance, shard, variant, report, label, job_url, is_rerun, test_count,
       failed_count, executed_count, elapsed_ms
     )
     select $1, $2, upload_count, 1, $4::uuid, '', '', '', '', '', '', '', false, $3, $3::int / 20, $3, 12 from run`,
    [projectId, runId, COUNT, toUuid('')],
  )
}

/** The statements that write tests that no test case matches, with their outcomes. */
async function writeNew(
  client: pg.Client,
  { projectId, runId }: SeededProject,
  tests: readonly BenchTest[],
): Promise<void> {
  const ids = tests.map(({ suite, name }) => toUuid(`${suite} ${name}`))
  await client.query('begin')
  await client.query(
    `insert into tests (project_id, id, title_digest, place_digest, title_key, suite, name, variant, file)
     select $1, i.id, i.title_digest, i.place_digest, i.name, i.suite, i.name, '', i.suite
     from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[])
       i (id, title_digest, place_digest, suite, name)`,
    [
      projectId,
      ids,
      tests.map(({ name }) => toUuid(name)),
      tests.map(({ suite }) => toUuid(suite)),
      tests.map(({ suite }) => suite),
      tests.map(({ name }) => name),
    ],
  )
  await client.query(
    `insert into test_outcomes
       (project_id, run_id, test_id, status, is_flaky, is_matched, elapsed_ms, attempt_count, tested_at, attempts)
     select $1, $2, i.test_id, i.status, false, false, 12, 1, now(), i.attempts
     from unnest($3::uuid[], $4::attempt_status[], $5::json[]) i (test_id, status, attempts)`,
    [projectId, runId, ids, tests.map(({ status }) => status), tests.map(toAttempts)],
  )
  await recordUpload(client, projectId, runId)
  await client.query('commit')
}

const toAttempts = ({ status, message }: BenchTest): string | null =>
  message === '' ? null : JSON.stringify([{ status, elapsed_ms: 12, message, details: '', started_at: null }])

const toUuid = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

/** Prepares the work of all rounds, of which the first warms up, so that only the work itself is measured. */
function repeatFor(rounds: number, prepare: (round: number) => () => Promise<void>): () => Promise<void> {
  const works = Array.from({ length: rounds + 1 }, (_, round) => prepare(round))
  let next = 0
  return async () => await works[next++]?.()
}

const SEEDED_RUNS = 100

/** Adds 100 outcomes of each test of a project: with 10,000 tests, a million. */
async function seedOutcomes(client: pg.Client, projectId: string): Promise<void> {
  await client.query(
    `with run as (select uuid_v7_in_batch(now(), n) as id from generate_series(1, $2::int) n)
     insert into test_outcomes (project_id, run_id, test_id, status, is_flaky, is_matched, elapsed_ms, attempt_count, tested_at)
     select $1, run.id, t.id, 'passed', false, true, 12, 1, now()
     from run, tests t where t.project_id = $1 order by run.id, t.id`,
    [projectId, SEEDED_RUNS],
  )
}

/**
 * Compares uploads of 10,000 tests with the bare statements that write the same rows: median times in milliseconds. Known
 * tests have a test case each, which is in the run; new ones have none. `grown` is the upload of known tests with a million
 * outcomes in the database.
 */
export async function compareTestUploads(client: pg.Client, server: Server, rounds: number) {
  const project = await seedProject(client, 0)
  const { projectId } = project
  const token = await createToken(server, projectId)
  const first = await seedRun(client, projectId)
  const start = performance.now()
  await upload(server, token, toJson(first, createTests(0), { create_test_cases: true }))
  const createMs = performance.now() - start
  // Before the statistics of the tables are renewed.
  const again = performance.now()
  await upload(server, token, toJson(first, createTests(1), { create_test_cases: true }))
  const againMs = performance.now() - again
  const { rows } = await client.query<{ test_id: string }>(
    'select test_id from test_links where project_id = $1 order by case_number',
    [projectId],
  )
  const testIds = rows.map((row) => row.test_id)
  // Enough runs for all rounds, so that creating them is not measured.
  const runs: string[] = []
  for (let index = 0; index < 4 * (rounds + 1); index += 1) runs.push(await seedRun(client, projectId))
  await vacuumAnalyze(client)
  let used = 0
  const takeRun = () => runs[used++] ?? ''
  const known = await measureInterleaved(rounds, {
    bare: repeatFor(rounds, (round) => {
      const tests = createTests(round)
      const runId = takeRun()
      return () => writeKnown(client, { ...project, runId }, tests, testIds)
    }),
    tests: repeatFor(rounds, (round) => {
      const body = toJson(takeRun(), createTests(round))
      return () => upload(server, token, body)
    }),
    junit: repeatFor(rounds, (round) => {
      const report = toJUnit(createTests(round))
      const runId = takeRun()
      return () => upload(server, token, report, `?run_id=${runId}`)
    }),
  })
  const empty = await seedProject(client, 0)
  const emptyToken = await createToken(server, empty.projectId)
  const fresh = await measureInterleaved(rounds, {
    bare: repeatFor(rounds, (round) => {
      const tests = createTests(0, `bare-${round}-`)
      return () => writeNew(client, empty, tests)
    }),
    tests: repeatFor(rounds, (round) => {
      const body = toJson(empty.runId, createTests(0, `tests-${round}-`))
      return () => upload(server, emptyToken, body)
    }),
    junit: repeatFor(rounds, (round) => {
      const report = toJUnit(createTests(0, `junit-${round}-`))
      return () => upload(server, emptyToken, report, `?run_id=${empty.runId}`)
    }),
  })
  await seedOutcomes(client, projectId)
  await vacuumAnalyze(client)
  const grown = await measureInterleaved(rounds, {
    tests: repeatFor(rounds, (round) => {
      const body = toJson(takeRun(), createTests(round))
      return () => upload(server, token, body)
    }),
  })
  await client.query('delete from test_outcomes where project_id = any($1::uuid[])', [[projectId, empty.projectId]])
  await client.query('delete from projects where id = any($1::uuid[])', [[projectId, empty.projectId]])
  return { createMs, againMs, known, fresh, grown }
}

import { randomUUID } from 'node:crypto'

import type pg from 'pg'

import { boundFigure, type Figure, timeFigure } from './figures.ts'
import { measureInterleaved } from './measure.ts'
import { vacuumAnalyze } from './seed.ts'
import { type Server, TOKEN } from './servers.ts'

const TESTS = 5000
/** The pages show at most so many days. */
const REFERENCE_DAYS = 90
/** Pages of a few milliseconds need many. */
const ROUNDS = 25
const MAX_RATIO = 1.5
const MAX_MS = 500
/** A run every nine hours: ten million outcomes are two years. */
const HOURS_BETWEEN_RUNS = 9
/** One of so many tests fails in a run. */
const FAILED_OF = 50
const CAUSES = 200
const FLAKY = 200
const QUARANTINED = 50
const RUNS_PER_STATEMENT = 200

interface History {
  projectId: string
  /** The newest one first. */
  runIds: string[]
}

/**
 * The pages of insight in a project with many outcomes, compared with one that has only those of the last days.
 * @param outcomes how many the project has
 */
export async function measureInsightPages(
  client: pg.Client,
  caseward: Server,
  outcomes: number,
  print: (text: string) => void,
): Promise<Figure[]> {
  const runs = (24 * REFERENCE_DAYS) / HOURS_BETWEEN_RUNS
  const [small, large] = await fillTables(client, async () => [
    await seedHistory(client, runs, print),
    await seedHistory(client, Math.max(runs, Math.ceil(outcomes / TESTS)), print),
  ])
  print('vacuum')
  await vacuumAnalyze(client)
  const get = async (path: string): Promise<void> => {
    const response = await fetch(`${caseward.url}/v1${path}`, { headers: { authorization: `Bearer ${TOKEN}` } })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  }
  const figures: Figure[] = []
  for (const [name, toPath] of Object.entries(PAGES)) {
    print(name)
    const times = await measureInterleaved(ROUNDS, {
      small: () => get(toPath(small)),
      large: () => get(toPath(large)),
    })
    figures.push(
      timeFigure(`${name}; reference: the last ${REFERENCE_DAYS} days alone`, times.large, times.small, MAX_RATIO),
      boundFigure(name, times.large, MAX_MS, 'ms'),
    )
  }
  return figures
}

const toDigest = (text: string) => `md5(${text})::uuid`
/** Ids of version 7 in the order of the tests, and in that of the runs. */
const toId = (moment: string, name: string) =>
  `(lpad(to_hex(${moment}), 12, '0') || '70008' || substr(md5($1::text || ${name}), 1, 15))::uuid`
const TEST_ID = toId('test_number', `' test ' || test_number`)
const RUN_ID = toId('(extract(epoch from at) * 1000)::bigint', `' run ' || n`)
const SIGNATURE = toDigest(`$1::text || ' cause ' || (test_number * 7 + n) % ${CAUSES}`)

const PAGES: Readonly<Record<string, (history: History) => string>> = {
  Health: ({ projectId }) => `/projects/${projectId}/health`,
  'Failures, 30 days': ({ projectId }) => `/projects/${projectId}/failure-groups?days=30&fields=days`,
  'Failures, 90 days': ({ projectId }) => `/projects/${projectId}/failure-groups?days=90&fields=days`,
  'Flaky tests': ({ projectId }) =>
    `/projects/${projectId}/tests?stability=flaky&sort=score&fields=stability&per_page=50`,
  'Whether tests were repeated': ({ projectId }) => `/projects/${projectId}/insight-settings?fields=repetitions`,
  Quarantine: ({ projectId }) => `/projects/${projectId}/quarantines`,
  Speed: ({ projectId }) => `/projects/${projectId}/slow-tests`,
  Drift: ({ projectId }) => `/projects/${projectId}/drift?kind=gone`,
  'Comparison of two runs': ({ projectId, runIds }) =>
    `/projects/${projectId}/run-comparison?base=${runIds[1]}&head=${runIds[0]}`,
  'Failures of a run': ({ runIds }) => `/runs/${runIds[0]}/verdicts`,
  Report: ({ projectId }) => `/projects/${projectId}/report`,
}

/**
 * Writes runs of one suite with plain SQL, as they are after their evaluation: rows in the order of their keys, the oldest run
 * first, without the other indexes, which takes a fraction of the time.
 */
async function seedHistory(client: pg.Client, runs: number, print: (text: string) => void): Promise<History> {
  const projectId = randomUUID()
  await client.query(
    `insert into projects (id, name, prefix, member_count, default_branch, run_count, last_run_number)
     values ($1, 'History', 'HIS', 1, 'main', $2, $2)`,
    [projectId, runs],
  )
  await client.query(`insert into memberships (project_id, user_id, role) select $1, id, 'admin' from users`, [
    projectId,
  ])
  const testIds = await seedTests(client, projectId)
  await client.query(
    `insert into failure_signatures (project_id, signature, version, kind, message, frame, is_weak, title, first_run_id, first_seen_at)
     select $1::uuid, ${toDigest(`$1::text || ' cause ' || cause`)}, 1, 'Error', 'cause ' || cause, '', false,
       'Error: cause ' || cause, $1::uuid, now() - interval '1 year'
     from generate_series(0, ${CAUSES - 1}) cause`,
    [projectId],
  )
  const now = new Date()
  for (let last = runs; last > 0; last -= RUNS_PER_STATEMENT) {
    await seedRuns(client, [projectId, last - 1, Math.max(0, last - RUNS_PER_STATEMENT), now], testIds)
    if ((runs - last) % (RUNS_PER_STATEMENT * 10) === 0) print(`${runs - last} of ${runs} runs`)
  }
  const { rows } = await client.query<{ id: string }>(
    'select id from runs where project_id = $1 order by id desc limit 2',
    [projectId],
  )
  return { projectId, runIds: rows.map(({ id }) => id) }
}

/** Some of the tests are flaky and in quarantine. Returns their ids in order. */
async function seedTests(client: pg.Client, projectId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `insert into tests (project_id, id, title_digest, place_digest, title_key, suite, name, variant, file, created_at,
       last_seen_on, last_series)
     select $1::uuid, ${TEST_ID}, ${toDigest(`'title ' || test_number`)}, ${toDigest(`'place ' || test_number`)},
       'test ' || test_number, 'suite ' || test_number % 100, 'test ' || test_number, '', 'src/' || test_number % 100 || '.ts',
       now() - interval '3 years', current_date, ''
     from generate_series(0, ${TESTS - 1}) test_number
     returning id`,
    [projectId],
  )
  const ids = rows.map(({ id }) => id).toSorted()
  await client.query(
    `insert into unstable_tests (project_id, test_id, stability, since, flake_commits, commits, score, last_event_at)
     select $1::uuid, id, 'flaky', now() - interval '20 days', 3, 80, 1, now() - interval '1 day' from unnest($2::uuid[]) id`,
    [projectId, ids.slice(0, FLAKY)],
  )
  await client.query(
    `insert into quarantines (project_id, id, test_id, reason, expires_at)
     select $1::uuid, gen_random_uuid(), id, 'Flaky since the new login', now() + interval '10 days' from unnest($2::uuid[]) id`,
    [projectId, ids.slice(0, QUARANTINED)],
  )
  return ids
}

/**
 * @param values the project, the first and the last number of the runs, and the time of the newest run, which is number 0
 * @param testIds in their order
 */
async function seedRuns(
  client: pg.Client,
  values: [string, number, number, Date],
  testIds: readonly string[],
): Promise<void> {
  const failed = TESTS / FAILED_OF
  const runs = `with run as materialized (
    select n, at, ${RUN_ID} as id from generate_series($2::int, $3::int, -1) n,
      lateral (select $4::timestamptz - n * interval '${HOURS_BETWEEN_RUNS} hours' as at) t)`
  const failures = `run, lateral generate_series((${FAILED_OF} - n % ${FAILED_OF}) % ${FAILED_OF}, ${TESTS - 1}, ${FAILED_OF}) test_number`
  const testId = '($5::uuid[])[test_number + 1]'
  await client.query(
    `${runs}
     insert into runs (id, project_id, name, run_group, branch, commit_sha, default_branch, series, created_at, completed_at, status,
       upload_count, evaluated_upload_count, evaluated_at, settled_at, tests_seen_at, last_upload_at, passed_test_count,
       failed_test_count, evaluation)
     select id, $1::uuid, 'Build ' || n, n / 16, 'main', md5(n::text), 'main', '', at, at, 'completed', 1, 1, at, at, at, at,
       ${TESTS - failed}, ${failed},
       '{"base":null,"counts":{},"blocking_count":1,"executed_count":${TESTS},"test_ms":60000,"warnings":[]}'
     from run`,
    values,
  )
  await client.query(
    `${runs}
     insert into test_outcomes (project_id, run_id, test_id, status, is_flaky, is_matched, elapsed_ms, attempt_count, tested_at)
     select $1::uuid, id, ${testId}, (case when (test_number + n) % ${FAILED_OF} = 0 then 'failed' else 'passed' end)::attempt_status,
       false, test_number % 10 > 0, 10 + test_number % 90, 1, at
     from run, lateral generate_series(0 * n, ${TESTS - 1}) test_number`,
    [...values, testIds],
  )
  await client.query(
    `${runs}
     insert into test_failures (project_id, run_id, test_id, place, signature, is_final)
     select $1::uuid, id, ${testId}, 1, ${SIGNATURE}, true from ${failures}`,
    [...values, testIds],
  )
  await client.query(
    `${runs}
     insert into test_verdicts (project_id, run_id, test_id, verdict, blocks, signature)
     select $1::uuid, id, ${testId}, 'new', true, ${SIGNATURE} from ${failures}`,
    [...values, testIds],
  )
}

const LARGE_TABLES = ['test_outcomes', 'test_failures', 'test_verdicts']

/** Fills the large tables without writing them to the log, and creates the indexes that are no keys behind that. */
async function fillTables<T>(client: pg.Client, fill: () => Promise<T>): Promise<T> {
  for (const table of LARGE_TABLES) await client.query(`alter table ${table} set unlogged`)
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where not indisprimary and indrelid = any($1::regclass[])`,
    [LARGE_TABLES],
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  const result = await fill()
  await client.query(`set maintenance_work_mem = '512MB'`)
  for (const { definition } of indexes) await client.query(definition)
  await client.query('reset maintenance_work_mem')
  return result
}

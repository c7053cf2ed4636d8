import { type Failure, readFailure } from '@caseward/failures/read-failure'
import type { AttemptStatus } from '@caseward/contract/test-fields'
import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { lookUpEach, plannedAnew } from '../../platform/database/plans.ts'
import { FIRST_ID } from '../../platform/http/ids.ts'
import { createYielder, type Yielder } from '../../platform/yielder.ts'

/** The different failures of a test. */
export interface TestFailures {
  /** In the order of the attempts, each signature once; the newest ones. */
  failures: Failure[]
  /** The failure that decided the outcome; null for a test that passed, or did not fail. */
  final: Failure | null
}

/** An outcome of a run that did not simply pass. */
export interface FailedOutcome extends TestFailures {
  testId: string
  status: AttemptStatus
  isFlaky: boolean
  /** When the test became known. */
  knownSince: Date
}

interface OutcomeRow {
  test_id: string
  status: AttemptStatus
  is_flaky: boolean
  suite: string
  name: string
  file: string
  created_at: Date
  failures: { message: string; details: string }[] | null
}

/** More attempts of a test say nothing new. */
const READ_ATTEMPTS = 5
const MAX_FAILURES = 3
/** As much of a text as `readFailure` looks at. */
const MAX_TEXT = 16_384
/** Texts of so many tests are in memory at once. */
const TESTS_PER_PAGE = 100

const SELECT_LIST = sql.raw(`
  o.test_id, o.status, o.is_flaky, t.suite, t.name, t.file, t.created_at, (
    select json_agg(json_build_object('message', failed.message, 'details', failed.details) order by failed.place)
    from (
      select left(attempt ->> 'message', ${MAX_TEXT}) as message, left(attempt ->> 'details', ${MAX_TEXT}) as details, place
      from json_array_elements(o.attempts) with ordinality as attempts(attempt, place)
      where attempt ->> 'status' = 'failed' order by place desc limit ${READ_ATTEMPTS}
    ) failed
  ) as failures`)

const buildTest = (projectId: string) => sql`(
  select suite, name, file, created_at from tests where project_id = ${projectId} and id = o.test_id ${lookUpEach}
) t`

/** Reads the outcomes of a run that did not simply pass, in the order of the tests, with their failures. */
export async function readFailedOutcomes(db: Database, { id, project }: RunRef): Promise<FailedOutcome[]> {
  const outcomes: FailedOutcome[] = []
  const yielder = createYielder(1)
  let after: string = FIRST_ID
  for (;;) {
    const { rows } = await sql<OutcomeRow>`${plannedAnew}
      select ${SELECT_LIST}
      from test_outcomes o cross join lateral ${buildTest(project.id)}
      where o.project_id = ${project.id} and o.run_id = ${id} and o.test_id > ${after}
        and (o.status in ('failed', 'blocked', 'interrupted') or o.is_flaky)
      order by o.test_id limit ${sql.lit(TESTS_PER_PAGE)}`.execute(db)
    for (const row of rows) outcomes.push(await toFailedOutcome(row, yielder))
    const last = rows.at(-1)
    if (last === undefined || rows.length < TESTS_PER_PAGE) return outcomes
    after = last.test_id
  }
}

async function toFailedOutcome(row: OutcomeRow, yielder: Yielder): Promise<FailedOutcome> {
  return {
    testId: row.test_id,
    status: row.status,
    isFlaky: row.is_flaky,
    knownSince: row.created_at,
    ...(await readFailures(row, yielder)),
  }
}

/** Reads the failures of an outcome. A failed test without any text has one failure, which is that of no other test. */
async function readFailures(row: OutcomeRow, yielder: Yielder): Promise<TestFailures> {
  const hasFailed = row.status === 'failed'
  const texts = row.failures ?? (hasFailed ? [{ message: '', details: '' }] : [])
  let failures: Failure[] = []
  for (const text of texts) {
    if (yielder.shouldYield()) await yielder.yield()
    const failure = readFailure(text, { suite: row.suite, name: row.name, file: row.file })
    failures = [...failures.filter(({ signature }) => signature !== failure.signature), failure]
  }
  return { failures: failures.slice(-MAX_FAILURES), final: hasFailed ? (failures.at(-1) ?? null) : null }
}

/** Reads the failures of outcomes that were not evaluated, by run and test: see {@link toOutcomeKey}. */
export async function readFinalFailures(
  db: Database,
  projectId: string,
  outcomes: readonly { runId: string; testId: string }[],
): Promise<Map<string, Failure>> {
  const found = new Map<string, Failure>()
  const yielder = createYielder(1)
  for (let start = 0; start < outcomes.length; start += TESTS_PER_PAGE) {
    const page = outcomes.slice(start, start + TESTS_PER_PAGE)
    const { rows } = await sql<OutcomeRow & { run_id: string }>`${plannedAnew}
      select o.run_id, ${SELECT_LIST}
      from unnest(${page.map(({ runId }) => runId)}::uuid[], ${page.map(({ testId }) => testId)}::uuid[]) as wanted(run_id, test_id)
      cross join lateral (
        select * from test_outcomes
        where project_id = ${projectId} and run_id = wanted.run_id and test_id = wanted.test_id ${lookUpEach}
      ) o
      cross join lateral ${buildTest(projectId)}`.execute(db)
    for (const row of rows) {
      const { final } = await readFailures(row, yielder)
      if (final !== null) found.set(toOutcomeKey(row.run_id, row.test_id), final)
    }
  }
  return found
}

export const toOutcomeKey = (runId: string, testId: string): string => `${runId} ${testId}`

import { type ComparedItem, type RunChange, RUN_CHANGES } from '@caseward/contract/run-comparison'

import { isSameFailure } from '@caseward/failures/same-failure'

import type { ProjectRef } from '../../access/project-cache.ts'
import { type ColumnsOf, defineColumns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery } from '../../platform/database/fast-reads/text-rows.ts'
import { type JsonCursorPage, readCursorPage } from '../../platform/database/reads.ts'
import { toJsonString, toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'
import { selectFinalFailures } from '../evaluation/base-outcomes.queries.ts'
import { toOutcomeKey } from '../evaluation/failed-outcomes.queries.ts'
import { resultFields } from '../results/result-columns.ts'
import { buildFirstLine } from '../results/result-rows.ts'

/** What the rows of a page need besides their columns. */
interface ComparisonContext extends ProjectRef {
  /** Tests that have the same failure in both runs. */
  sameFailures: Set<string>
}

/** The statements take the project, the older and the newer run as `$1`, `$2` and `$3`. */
interface Comparison {
  /** Rows of both runs, joined: `place`, `change`, and what names the sides. */
  readonly joined: string
  /** From `page`, rows of `joined`, each looked up by its key (`offset 0`): a join could read both runs once more. */
  readonly details: string
  /** Of what fails in both runs, the statuses in the older and the newer run, if their failures are to be compared. */
  readonly statuses: string
  readonly columns: ReturnType<typeof defineColumns<ComparedItem, ComparisonContext>>
}

interface Sides {
  readonly isFailing: (side: string) => string
  readonly isTested: (side: string) => string
  readonly isSlower?: string
}

/** Every row has exactly one change. `b` and `h` are its sides. */
const buildChange = ({ isFailing, isTested, isSlower }: Sides): string => `case
  when b.key is null then 'new'
  when h.key is null then 'missing'
  when ${isFailing('b')} and ${isFailing('h')} then 'still_failing'
  when not ${isTested('b')} and ${isTested('h')} then 'newly_tested'
  when ${isTested('b')} and not ${isTested('h')} then 'no_longer_tested'
  when ${isFailing('h')} then 'newly_failing'
  when ${isFailing('b')} then 'fixed'
  ${isSlower === undefined ? '' : `when ${isSlower} then 'slower'`}
  else 'same'
end`

const buildSide = (name: string, fields: Readonly<Record<string, string>>): string =>
  `case when page.${name}_key is not null then json_build_object(${Object.entries(fields)
    .map(([field, value]) => `'${field}', ${value}`)
    .join(', ')}) end`

/** Deleted test cases have their title, and a number if several have the same. */
const CASES_OF_RUN = (run: string) => `(
  select case_number::text as key, id, status from test_results
  where project_id = $1 and run_id = ${run} and case_number is not null
  union all
  select '-' || title || '#' || row_number() over (partition by title order by id), id, status from test_results
  where project_id = $1 and run_id = ${run} and case_number is null
)`

const caseSide = (name: string, alias: string) =>
  buildSide(name, {
    result_id: `${alias}.id`,
    status: `${alias}.status`,
    note_line: buildFirstLine(`${alias}.note`),
    elapsed_ms: `${alias}.elapsed::bigint * 1000`,
  })

const testCases: Comparison = {
  joined: `
    select coalesce(h.id, b.id) as place, b.key as base_key, h.key as head_key, b.id as base_id, h.id as head_id,
      ${buildChange({
        isFailing: (side) => `${side}.status in ('failed', 'blocked', 'retest')`,
        isTested: (side) => `${side}.status <> 'not_tested'`,
      })} as change
    from ${CASES_OF_RUN('$2')} b full join ${CASES_OF_RUN('$3')} h on h.key = b.key`,
  details: `
    from page
    left join lateral (
      select * from test_results where project_id = $1 and run_id = $2 and id = page.base_id offset 0
    ) b on true
    left join lateral (
      select * from test_results where project_id = $1 and run_id = $3 and id = page.head_id offset 0
    ) h on true`,
  statuses: 'null',
  columns: defineColumns<ComparedItem, ComparisonContext>({
    change: { sql: 'page.change', encode: toPlainJsonString },
    is_same_failure: {
      sql: `to_json(page.change = 'still_failing' and b.status = h.status and ${buildFirstLine('b.note')} is not distinct from ${buildFirstLine('h.note')})`,
      encode: toRawJson,
    },
    test_case_id: { ...resultFields.test_case_id, sql: 'coalesce(h.case_number, b.case_number)' },
    test_id: { sql: 'null', encode: toPlainJsonString },
    title: { sql: 'coalesce(h.title, b.title)', encode: toJsonString },
    suite: { sql: `''`, encode: toJsonString },
    variant: { sql: `''`, encode: toJsonString },
    base: { sql: caseSide('base', 'b'), encode: toRawJson },
    head: { sql: caseSide('head', 'h'), encode: toRawJson },
  } satisfies ColumnsOf<ComparedItem, ComparisonContext>),
}

/** How much longer a test must take to be slower, and how much more that is in milliseconds. */
const SLOWER = { ratio: 1.5, ms: 500 }

const OUTCOMES_OF_RUN = (run: string) => `(
  select test_id as key, test_id as id, status, elapsed_ms from test_outcomes where project_id = $1 and run_id = ${run}
)`

/** Of the last attempt that has a message. */
const messageOf = (alias: string) => `(
  select attempt ->> 'message' from json_array_elements(${alias}.attempts) with ordinality as listed (attempt, place)
  where attempt ->> 'message' <> '' order by place desc limit 1
)`

const testSide = (name: string, alias: string) =>
  buildSide(name, {
    result_id: 'null',
    status: `${alias}.status`,
    note_line: buildFirstLine(messageOf(alias)),
    elapsed_ms: `${alias}.elapsed_ms`,
  })

const tests: Comparison = {
  joined: `
    select coalesce(h.id, b.id) as place, b.key as base_key, h.key as head_key,
      ${buildChange({
        isFailing: (side) => `${side}.status in ('failed', 'blocked', 'interrupted')`,
        isTested: (side) => `${side}.status <> 'skipped'`,
        // Only tests that ran in both: a skipped one can have a time, too.
        isSlower: `b.status <> 'skipped' and h.elapsed_ms >= ${SLOWER.ratio} * b.elapsed_ms and h.elapsed_ms >= b.elapsed_ms + ${SLOWER.ms}`,
      })} as change
    from ${OUTCOMES_OF_RUN('$2')} b full join ${OUTCOMES_OF_RUN('$3')} h on h.key = b.key`,
  details: `
    from page
    cross join lateral (select * from tests where project_id = $1 and id = page.place offset 0) t
    left join lateral (
      select * from test_outcomes where project_id = $1 and run_id = $2 and test_id = page.base_key offset 0
    ) b on true
    left join lateral (
      select * from test_outcomes where project_id = $1 and run_id = $3 and test_id = page.head_key offset 0
    ) h on true`,
  statuses: `case when page.change = 'still_failing' then b.status || ' ' || h.status end`,
  columns: defineColumns<ComparedItem, ComparisonContext>({
    change: { sql: 'page.change', encode: toPlainJsonString },
    is_same_failure: { sql: 'page.place', encode: (id, { sameFailures }) => JSON.stringify(sameFailures.has(id)) },
    test_case_id: { sql: 'null', encode: toPlainJsonString },
    test_id: { sql: 't.id', encode: toPlainJsonString },
    title: { sql: 't.name', encode: toJsonString },
    suite: { sql: 't.suite', encode: toJsonString },
    variant: { sql: 't.variant', encode: toJsonString },
    base: { sql: testSide('base', 'b'), encode: toRawJson },
    head: { sql: testSide('head', 'h'), encode: toRawJson },
  } satisfies ColumnsOf<ComparedItem, ComparisonContext>),
}

export type ComparedBy = 'tests' | 'test_cases'
const comparisons: Readonly<Record<ComparedBy, Comparison>> = { tests, test_cases: testCases }

export interface RunPair {
  base: string
  head: string
}

/** Which of two runs are in the project, and whether they have tests. */
export async function selectRunPair(
  db: Database,
  projectId: string,
  { base, head }: RunPair,
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'passed_test_count', 'failed_test_count', 'skipped_test_count'])
    .where('project_id', '=', projectId)
    .where('id', 'in', [base, head])
    .execute()
  return new Map(
    rows.map((run) => [run.id, run.passed_test_count + run.failed_test_count + run.skipped_test_count > 0]),
  )
}

/** How many tests or test cases of two runs have each change. Together these are all that is in either of them. */
export async function countChanges(
  db: Database,
  projectId: string,
  by: ComparedBy,
  { base, head }: RunPair,
): Promise<Record<RunChange, number>> {
  const text = `select change, count(*) from (${comparisons[by].joined}) as joined group by change`
  const rows = await runTextQuery(db, { text, values: [projectId, base, head], useCustomPlan: true })
  const counts = new Map(rows.map(([change = '', count]) => [change, Number(count)]))
  return Object.fromEntries(RUN_CHANGES.map((change) => [change, counts.get(change) ?? 0])) as Record<RunChange, number>
}

interface Filter {
  change?: RunChange | undefined
  after?: string | undefined
}

/** A page of the tests or test cases of two runs, in the order of the newer one. */
export async function selectComparedItems(
  db: Database,
  project: ProjectRef,
  by: ComparedBy,
  pair: RunPair,
  { change, after = '' }: Filter,
  perPage: number,
): Promise<JsonCursorPage> {
  const { base, head } = pair
  const { joined, details, statuses, columns } = comparisons[by]
  const text = `
    with page as materialized (
      select * from (${joined}) as joined
      where ($4 = '' or change = $4) and ($5 = '' or place > nullif($5, '')::uuid)
      order by place limit $6
    )
    select ${columns.selectList}, ${statuses}, page.place ${details} order by page.place`
  const values = [project.id, base, head, change ?? '', after, perPage + 1]
  const context: ComparisonContext = { ...project, sameFailures: new Set() }
  return await readCursorPage(
    db,
    { text, values, useCustomPlan: true },
    perPage,
    (row) => columns.toJson(row, context),
    async (rows) => {
      const failing = rows.flatMap((row) => {
        const [status, id] = [row.at(-2) ?? null, row.at(-1) ?? '']
        return status === null ? [] : [{ id, statuses: status.split(' ') }]
      })
      context.sameFailures = await findSameFailures(db, project.id, pair, failing)
    },
  )
}

interface FailingTest {
  id: string
  /** In the older and the newer run. */
  statuses: readonly string[]
}

/** Finds the tests that fail in both runs in the same way: by the rules of verdicts, or for both being blocked or interrupted. */
async function findSameFailures(
  db: Database,
  projectId: string,
  { base, head }: RunPair,
  failing: readonly FailingTest[],
): Promise<Set<string>> {
  const failed = failing.filter(({ statuses }) => statuses.every((status) => status === 'failed'))
  const outcomes = failed.flatMap(({ id }) => [base, head].map((run) => ({ run_id: run, test_id: id })))
  const failures = await selectFinalFailures(db, projectId, outcomes)
  const isSame = ({ id, statuses: [before, now] }: FailingTest) => {
    if (before !== now || before !== 'failed') return before === now
    const [old, current] = [base, head].map((run) => failures.get(toOutcomeKey(run, id)))
    return old !== undefined && current !== undefined && isSameFailure(old, current)
  }
  return new Set(failing.filter(isSame).map(({ id }) => id))
}

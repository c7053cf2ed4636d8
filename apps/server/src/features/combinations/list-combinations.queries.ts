import type { Combination, listCombinations as contract } from '@caseward/contract/combinations'
import { RESULT_STATUSES } from '@caseward/contract/results'
import { sql } from 'kysely'
import type { Static } from '@caseward/contract/static'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { buildHasResultId } from '../results/results.queries.ts'
import { readTestedVersion } from '../results/tested-version.ts'
import type { CaseStep } from '../step-results/align-steps.ts'
import { placeSteps } from '../step-results/change-steps.ts'
import { selectStepsOfCombinations } from '../step-results/step-results.queries.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import { type CombinedResult, IS_SET_APART } from './combined-results.queries.ts'

type Filters = Static<typeof contract.schema.querystring>

const PAGE_SIZE = 500

interface Row extends Omit<Combination, 'test_case_id' | 'tested_at' | 'name' | 'steps' | 'tested_steps'> {
  case_number: number | null
  tested_at: Date | null
}

/** The status that follows from the steps of a combination `c`; null without step results. */
const STATE = sql.raw(
  `(array[${RESULT_STATUSES.map((status) => `'${status}'`).join(', ')}])[c.step_state + 1] as step_state`,
)

const COLUMNS = sql`
  c.result_id, r.case_number, c.place, c.configuration, c.status, c.note, c.elapsed, c.tested_by, c.tested_at, c.assigned_to,
  ${STATE}`

/** The combinations of a result, in their order. */
export async function selectCombinationsOf(db: Database, run: RunRef, resultId: string): Promise<Combination[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS}
    from test_results r join result_combinations c
      on c.project_id = ${run.project.id} and c.run_id = ${run.id} and c.result_id = r.id
    where r.project_id = ${run.project.id} and r.run_id = ${run.id} and r.id = ${resultId}
      and r.combination_state is not null
    order by c.place`.execute(db)
  return await withSteps(db, run, resultId, await present(db, run, rows))
}

/**
 * Adds the results of steps to combinations of one result, by the positions that the steps have now, and if another text was tested, by
 * those that they had there.
 */
export async function withSteps(
  db: Database,
  run: RunRef,
  resultId: string,
  combinations: readonly Combination[],
): Promise<Combination[]> {
  const hasSteps = combinations.some(({ step_state: state }) => state !== null)
  if (!hasSteps) return combinations.map((combination) => ({ ...combination, steps: [] }))
  const { stored, caseSteps, tested } = await selectStepsOfCombinations(db, run, resultId)
  const testedCase = (await readTestedVersion(db, run.project, tested, null))?.tested_case ?? null
  return combinations.map((combination) => {
    const own = stored.get(combination.place)
    const place = (steps: readonly CaseStep[] | null) => (own === undefined ? [] : placeSteps(own, steps))
    return {
      ...combination,
      steps: place(caseSteps),
      ...(testedCase === null ? {} : { tested_steps: place(testedCase.steps) }),
    }
  })
}

/** A combination, and its result, which is locked. */
export interface LockedCombination {
  result: CombinedResult
  /** Null if the result has no such combination. */
  combination: Combination | null
}

/**
 * Finds a combination by the id of its result, or of the test case, and locks the result until the transaction ends. Undefined when
 * the run has no such result.
 */
export async function lockCombination(
  tx: Database,
  run: RunRef,
  id: string,
  place: number,
): Promise<LockedCombination | undefined> {
  const { project } = run
  const hasId = buildHasResultId(run, id)
  if (hasId === null) return undefined
  type Found = { [F in keyof Omit<Row, 'result_id' | 'case_number'>]: Row[F] | null } & CombinedResult
  const { rows } = await sql<Found & { result_status: CombinedResult['status']; result_tested_by: string | null }>`
    select r.id, r.case_number, r.status as result_status, r.tested_by as result_tested_by,
      coalesce(${IS_SET_APART}, false) as is_set_apart,
      c.place, c.configuration, c.status, c.note, c.elapsed, c.tested_by, c.tested_at, c.assigned_to, ${STATE}
    from test_results r left join result_combinations c
      on c.project_id = ${project.id} and c.run_id = ${run.id} and c.result_id = r.id and c.place = ${place}
      and r.combination_state is not null
    where r.project_id = ${project.id} and r.run_id = ${run.id} and ${hasId}
    for no key update of r`.execute(tx)
  const [row] = rows
  if (row === undefined) return undefined
  const { id: resultId, case_number, is_set_apart, result_status, result_tested_by, ...values } = row
  const result = { id: resultId, case_number, is_set_apart, status: result_status, tested_by: result_tested_by }
  if (values.place === null) return { result, combination: null }
  const [combination] = await present(tx, run, [{ ...(values as Row), result_id: resultId, case_number }])
  return { result, combination: combination ?? null }
}

/** A page of the combinations of a run. */
export async function selectCombinations(
  db: Database,
  run: RunRef,
  { status, configuration, assigned_to: assignedTo, result_id: resultId, has_note: hasNote, after }: Filters,
): Promise<{ items: Combination[]; nextAfter: string | null }> {
  const conditions = [sql`c.project_id = ${run.project.id} and c.run_id = ${run.id}`]
  if (status !== undefined) conditions.push(sql`c.status = any(${status}::result_status[])`)
  if (configuration !== undefined) conditions.push(sql`c.configuration = ${configuration}`)
  if (resultId !== undefined) conditions.push(sql`c.result_id = ${resultId}`)
  if (hasNote !== undefined) conditions.push(sql`c.note is not null`)
  if (assignedTo === 'nobody') conditions.push(sql`c.assigned_to is null`)
  else if (assignedTo !== undefined)
    conditions.push(isUuid(assignedTo) ? sql`c.assigned_to = ${assignedTo}` : sql`false`)
  const [lastId = '', lastPlace = ''] = after?.split('.') ?? []
  if (after !== undefined) {
    conditions.push(
      isUuid(lastId) ? sql`(c.result_id, c.place) > (${lastId}::uuid, ${Number(lastPlace)}::int)` : sql`false`,
    )
  }
  const { rows } = await sql<Row>`
    select ${COLUMNS}
    from result_combinations c join test_results r
      on r.project_id = ${run.project.id} and r.run_id = ${run.id} and r.id = c.result_id
    where ${sql.join(conditions, sql` and `)}
    order by c.result_id, c.place limit ${sql.lit(PAGE_SIZE + 1)}`.execute(db)
  const page = rows.slice(0, PAGE_SIZE)
  const last = page.at(-1)
  const nextAfter = rows.length > PAGE_SIZE && last !== undefined ? `${last.result_id}.${last.place}` : null
  return { items: await present(db, run, page), nextAfter }
}

/** On a distributed database, configurations are on the coordinator: they are read by themselves. */
async function present(db: Database, { id, project }: RunRef, rows: readonly Row[]): Promise<Combination[]> {
  if (rows.length === 0) return []
  const configurations = await db
    .selectFrom('run_configurations')
    .select(['place', 'name'])
    .where('project_id', '=', project.id)
    .where('run_id', '=', id)
    .execute()
  const names = new Map(configurations.map(({ place, name }) => [place, name]))
  return rows.map(({ case_number: number, tested_at: testedAt, result_id, place, configuration, ...rest }) => ({
    result_id,
    test_case_id: number === null ? null : formatTestCaseId(project.prefix, number),
    place,
    configuration,
    name: names.get(configuration) ?? '',
    ...rest,
    tested_at: testedAt === null ? null : presentTime(testedAt),
  }))
}

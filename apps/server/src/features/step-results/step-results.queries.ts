import { RESULT_STATUSES, type ResultStatus } from '@caseward/contract/results'
import type { StepResult } from '@caseward/contract/step-results'
import { CompiledQuery, sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { lookUpEach } from '../../platform/database/plans.ts'
import { buildTestedColumns } from '../results/tested-version.ts'
import type { CaseStep } from './align-steps.ts'
import type { ChangedSteps, StoredSteps } from './change-steps.ts'

/** The status that follows from the steps of a result `r`; null without step results. */
export const STEP_STATE = `(array[${RESULT_STATUSES.map((status) => `'${status}'`).join(', ')}])[r.step_state + 1]`

/** A result and what its steps are. */
export interface ResultSteps {
  resultId: string
  /** The place of a combination; 0 for the result as a whole. */
  place: number
  /** Null if the test case was deleted. */
  caseNumber: number | null
  status: ResultStatus
  stored: StoredSteps | null
  /** The steps of the test case; empty if it was deleted. */
  caseSteps: readonly CaseStep[]
  /** The version of the test case; null if it was deleted. */
  caseVersion: number | null
}

/**
 * Selects the steps of results of a run, whose lock the caller holds.
 * @param keys ids of results, or numbers of their test cases, each with the place of a combination, or 0
 */
export async function selectResultSteps(
  tx: Database,
  { id: runId, group, project }: RunRef,
  keys: ({ resultIds: readonly string[] } | { caseNumbers: readonly number[] }) & { places: readonly number[] },
): Promise<ResultSteps[]> {
  const input = 'resultIds' in keys ? sql`${keys.resultIds}::uuid[]` : sql`${keys.caseNumbers}::int[]`
  const isResult =
    'resultIds' in keys ? sql`r.id = input.key` : sql`r.run_group = ${group} and r.case_number = input.key`
  const { rows } = await sql<{
    resultId: string
    place: number
    caseNumber: number | null
    status: ResultStatus
    steps: StepResult[] | null
    digests: string | null
    caseSteps: CaseStep[] | null
    caseVersion: number | null
  }>`
    select r.id as "resultId", input.place, r.case_number as "caseNumber", r.status, s.steps, s.case_steps as digests,
      c.steps as "caseSteps", c.version as "caseVersion"
    from unnest(${input}, ${keys.places}::int[]) as input (key, place)
    join test_results r on r.project_id = ${project.id} and r.run_id = ${runId} and ${isResult}
    left join lateral (
      select * from step_results
      where project_id = ${project.id} and run_id = ${runId} and result_id = r.id and place = input.place ${lookUpEach}
    ) s on true
    left join lateral (
      select * from test_cases where project_id = ${project.id} and number = r.case_number ${lookUpEach}
    ) c on true`.execute(tx)
  return rows.map(({ steps, digests, caseSteps, ...row }) => ({
    ...row,
    stored: steps === null ? null : { steps, caseSteps: digests ?? '' },
    caseSteps: caseSteps ?? [],
  }))
}

/** Stores the steps of results, or removes them if none has a result any more. The caller holds the lock on the run. */
export async function saveSteps(
  tx: Database,
  { id: runId, project }: RunRef,
  results: readonly { resultId: string; place: number; changed: ChangedSteps }[],
): Promise<void> {
  if (results.length === 0) return
  const steps = results.map(({ changed }) => (changed.state === null ? null : JSON.stringify(changed.steps)))
  const states = results.map(({ changed: { state } }) => (state === null ? null : RESULT_STATUSES.indexOf(state)))
  await sql`
    with input as (
      select * from unnest(
        ${results.map(({ resultId }) => resultId)}::uuid[], ${steps}::text[],
        ${results.map(({ changed }) => changed.caseSteps)}::text[], ${states}::smallint[],
        ${results.map(({ place }) => place)}::smallint[]
      ) as input (id, steps, case_steps, state, place)
    ), saved as (
      insert into step_results (project_id, run_id, result_id, place, steps, case_steps)
      select ${project.id}::uuid, ${runId}::uuid, id, place, steps::json, case_steps from input where steps is not null
      on conflict (project_id, run_id, result_id, place)
        do update set steps = excluded.steps, case_steps = excluded.case_steps
    ), removed as (
      delete from step_results s using input
      where s.project_id = ${project.id} and s.run_id = ${runId} and s.result_id = input.id and s.place = input.place
        and input.steps is null
    ), combined as (
      update result_combinations c set step_state = input.state
      from input where c.project_id = ${project.id} and c.run_id = ${runId} and c.result_id = input.id and c.place = input.place
    )
    update test_results r set step_state = input.state
    from input where r.project_id = ${project.id} and r.run_id = ${runId} and r.id = input.id and input.place = 0`.execute(
    tx,
  )
}

/** Selects the step results of a result; null for none. */
export async function selectSteps(db: Database, run: RunRef, resultId: string): Promise<StoredSteps | null> {
  const row = await db
    .selectFrom('step_results')
    .select(['steps', 'case_steps'])
    .where('project_id', '=', run.project.id)
    .where('run_id', '=', run.id)
    .where('result_id', '=', resultId)
    .where('place', '=', 0)
    .executeTakeFirst()
  // As `saveSteps` has stored them.
  return row === undefined ? null : { steps: row.steps as unknown as StepResult[], caseSteps: row.case_steps }
}

/** What is known of the steps of the combinations of a result. */
interface StepsOfCombinations {
  /** By their places. */
  stored: ReadonlyMap<number, StoredSteps>
  /** The steps that the test case has now; null if it was deleted. */
  caseSteps: readonly CaseStep[] | null
  /** The columns for `readTestedVersion`; null if the test case was never changed. */
  tested: string | null
}

const SELECT_STEPS_OF_COMBINATIONS = `
  select s.place, s.steps, s.case_steps as digests, c.steps as "caseSteps", (${buildTestedColumns('$2')})::text as tested
  from step_results s join test_results r on r.project_id = $1 and r.run_id = $2 and r.id = $3
  left join test_cases c on c.project_id = $1 and c.number = r.case_number
  where s.project_id = $1 and s.run_id = $2 and s.result_id = $3 and s.place > 0`

/** Selects the step results of the combinations of a result, and what tells which text was tested. */
export async function selectStepsOfCombinations(
  db: Database,
  { id: runId, project }: RunRef,
  resultId: string,
): Promise<StepsOfCombinations> {
  const { rows } = await db.executeQuery<{
    place: number
    steps: StepResult[]
    digests: string
    caseSteps: CaseStep[] | null
    tested: string | null
  }>(CompiledQuery.raw(SELECT_STEPS_OF_COMBINATIONS, [project.id, runId, resultId]))
  const stored = new Map(rows.map(({ place, steps, digests }) => [place, { steps, caseSteps: digests }]))
  return { stored, caseSteps: rows[0]?.caseSteps ?? null, tested: rows[0]?.tested ?? null }
}

/** Whether results of a project follow from their steps. */
export async function derivesStatus(tx: Database, projectId: string): Promise<boolean> {
  const row = await tx.selectFrom('projects').select('steps_decide').where('id', '=', projectId).executeTakeFirst()
  return row?.steps_decide === 'derive'
}

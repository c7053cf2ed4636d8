import type { changeRunConfigurations as contract } from '@caseward/contract/combinations'
import type { FieldError } from '@caseward/contract/problem'
import { MAX_RUN_COMBINATIONS, type NewRunConfigurations } from '@caseward/contract/run-configurations'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from '@caseward/contract/static'

import type { ProjectRef, RunRef } from '../../access/project-cache.ts'
import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalidProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { addResultChanges } from '../events/result-changes.ts'
import { withOpenRun } from '../runs/with-open-run.ts'
import { selectRun } from '../runs/runs.queries.ts'
import {
  addOtherTests,
  deleteCombinations,
  insertCombinations,
  insertRunConfigurations,
  type NewPlace,
} from './combinations.queries.ts'
import { joinByHash } from '../../platform/database/join-by-hash.ts'
import type { StoredConfiguration } from './match-variant.ts'
import { planConfigurations, requireFewCombinations } from './plan-configurations.ts'

/**
 * Finds out what a new run is tested with, and that it is not too much, before anything is stored.
 * @param cases a condition on `test_cases c`; null for a run that starts empty
 * @param caseCount the number of test cases of the project
 * @throws {Problem} 422 for more than a run can have
 */
export async function planNewRun(
  tx: Database,
  project: ProjectRef,
  body: NewRunConfigurations,
  cases: RawBuilder<unknown> | null,
  caseCount: number,
): Promise<{ places: NewPlace[]; errors: FieldError[] }> {
  const plan = await planConfigurations(tx, project, body, { path: '/configurations', known: [], lastPlace: 0 })
  if (cases === null || plan.errors.length > 0) return plan
  // Mostly not even all test cases would be too many.
  if (caseCount * plan.places.length <= MAX_RUN_COMBINATIONS) return plan
  let count = 0
  for (const [condition, places] of countByCondition(plan.places)) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from test_cases c
      where c.project_id = ${project.id} and ${cases} and ${condition ?? sql`true`}`.execute(tx)
    count += places * (rows[0]?.count ?? 0)
  }
  requireFewCombinations(count)
  return plan
}

const countByCondition = (places: readonly NewPlace[]): Map<RawBuilder<unknown> | null, number> =>
  places.reduce(
    (counts, { condition }) => counts.set(condition, (counts.get(condition) ?? 0) + 1),
    new Map<RawBuilder<unknown> | null, number>(),
  )

/**
 * Gives a new run its configurations, and its results their combinations.
 * @param combined the number of results that have a combination of each already; null if none has any
 */
export async function addConfigurationsToNewRun(
  tx: Database,
  run: RunRef,
  places: readonly NewPlace[],
  combined: number | null,
): Promise<void> {
  await insertRunConfigurations(tx, run, places, combined ?? 0)
  if (combined === null) await insertCombinations(tx, run, places)
}

/** The greatest place of configurations of a run, which are in their order. */
export const getLastPlace = (places: readonly NewPlace[]): number => places.at(-1)?.place ?? 0

/**
 * Gives results that have joined a run the combinations that all of its test cases have.
 * @param lastId the last result before they joined
 */
export async function addCombinationsOfNewResults(tx: Database, run: RunRef, lastId: string | null): Promise<void> {
  const { rows } = await sql<{ place: number }>`
    select place from run_configurations
    where project_id = ${run.project.id} and run_id = ${run.id} and for_all order by place`.execute(tx)
  if (rows.length === 0) return
  const isNew = lastId === null ? sql`true` : sql`r.id > ${lastId}::uuid`
  await requireRoom(tx, run, sql`${isNew}`, rows.length)
  await insertCombinations(
    tx,
    run,
    rows.map(({ place }) => ({ place, condition: null })),
    isNew,
  )
}

/** @throws {Problem} 422 when a run would have too many combinations */
async function requireRoom(tx: Database, run: RunRef, results: RawBuilder<unknown>, places: number): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from test_results r
    where r.project_id = ${run.project.id} and r.run_id = ${run.id} and ${results}`.execute(tx)
  requireFewCombinations((await countCombinations(tx, run)) + (rows[0]?.count ?? 0) * places)
}

async function countCombinations(tx: Database, { id }: RunRef): Promise<number> {
  const run = await tx.selectFrom('runs').select('combination_count').where('id', '=', id).executeTakeFirst()
  return run?.combination_count ?? 0
}

/**
 * Adds and removes configurations of a run.
 * @returns the run as a JSON object
 * @throws {Problem} 404 when the run is gone; 409 when it is completed; 400 for unknown configurations, places and test cases; 422
 *   for more than a run can have
 */
export async function changeRunConfigurations(
  deps: Pick<Deps, 'db' | 'announcer'>,
  actor: AuditActor,
  run: RunRef,
  { add, remove = [] }: Static<typeof contract.schema.body>,
): Promise<string> {
  return await withOpenRun(
    deps,
    run,
    async (tx, changes) => {
      const known = await selectKnown(tx, run)
      const errors: FieldError[] = remove.flatMap((place, index) =>
        known.some((other) => other.place === place)
          ? []
          : [{ path: `/remove/${index}`, message: 'is not a configuration of this run' }],
      )
      const plan =
        add === undefined
          ? { places: [], errors: [] }
          : await planConfigurations(tx, run.project, add, {
              path: '/add',
              lastPlace: await selectLastPlace(tx, run),
              // Removed ones can be added again.
              known: known.filter(({ place }) => !remove.includes(place)),
            })
      errors.push(...plan.errors)
      if (errors.length > 0) throw invalidProblem(errors)
      if (remove.length > 0) {
        const condition = sql`c.configuration = any(${remove}::smallint[])`
        const removed = await joinByHash(tx, () => deleteCombinations(tx, run, condition))
        addResultChanges(changes, removed.at, null)
        await deleteRunConfigurations(tx, run, remove)
        await recordRemoval(tx, run, actor, {
          names: known.filter(({ place }) => remove.includes(place)).map(({ name }) => name),
          combinations: removed.count,
          tested: removed.tested,
        })
      }
      if (plan.places.length > 0) {
        for (const [condition, count] of countByCondition(plan.places)) {
          await requireRoom(tx, run, inSelection(run, condition), count)
        }
        await insertRunConfigurations(tx, run, plan.places)
        const last = getLastPlace(plan.places)
        await tx.updateTable('runs').set({ last_configuration_place: last }).where('id', '=', run.id).execute()
        for (const [condition] of countByCondition(plan.places)) {
          await addOtherTests(tx, run, { tested: inSelection(run, condition) })
        }
        await insertCombinations(tx, run, plan.places)
        addResultChanges(changes, new Date(), null)
      }
      const updated = await selectRun(tx, run.id)
      if (updated === null) throw notFoundProblem('run')
      return updated
    },
    { locksProject: true },
  )
}

/** A condition on results `r`. */
const inSelection = ({ project }: RunRef, condition: RawBuilder<unknown> | null): RawBuilder<unknown> =>
  condition === null
    ? sql`true`
    : sql`r.case_number in (select c.number from test_cases c where c.project_id = ${project.id} and ${condition})`

async function selectLastPlace(tx: Database, { id }: RunRef): Promise<number> {
  const run = await tx.selectFrom('runs').select('last_configuration_place').where('id', '=', id).executeTakeFirst()
  return run?.last_configuration_place ?? 0
}

async function selectKnown(tx: Database, { id, project }: RunRef) {
  const { rows } = await sql<{ place: number; name: string; configurations: StoredConfiguration[] }>`
    select place, name, configurations from run_configurations
    where project_id = ${project.id} and run_id = ${id} order by place`.execute(tx)
  return rows
}

/** A run without configurations is as if it never had any. */
async function deleteRunConfigurations(
  tx: Database,
  { id, project }: RunRef,
  places: readonly number[],
): Promise<void> {
  await sql`
    delete from run_configurations
    where project_id = ${project.id} and run_id = ${id} and place = any(${places}::smallint[])`.execute(tx)
  await sql`
    update runs set combination_count = null
    where id = ${id} and not exists (
      select from run_configurations where project_id = ${project.id} and run_id = ${id}
    )`.execute(tx)
}

async function recordRemoval(
  tx: Database,
  run: RunRef,
  actor: AuditActor,
  detail: { names: string[]; combinations: number; tested: number },
): Promise<void> {
  const { name } = await tx.selectFrom('runs').select('name').where('id', '=', run.id).executeTakeFirstOrThrow()
  await recordAudit(tx, actor, {
    action: 'run.remove_configurations',
    subject: { kind: 'run', id: run.id, name },
    projectId: run.project.id,
    detail,
  })
}

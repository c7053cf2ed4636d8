import type { FieldError } from '@caseward/contract/problem'
import { type createRerun as contract, KEPT_IN_RERUN, MAX_RERUNS, RERUN_STATUSES } from '@caseward/contract/reruns'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from '@caseward/contract/static'
import { v7 as uuidv7 } from 'uuid'

import type { RunRef } from '../../access/project-cache.ts'
import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { invalidProblem, notFoundProblem, unprocessableProblem } from '../../platform/http/problems.ts'
import { tellNewAssignees } from '../assignments/assign-results.ts'
import { copyCombinations } from '../combinations/copy-combinations.queries.ts'
import { joinByHash } from '../../platform/database/join-by-hash.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { resolveTestCaseIds } from '../runs/choose-test-cases.ts'
import { takeRunGroup } from '../runs/create-run.ts'
import { insertRunResults } from '../runs/insert-run-results.ts'
import { selectRun } from '../runs/runs.queries.ts'
import { NOT_ARCHIVED } from '../test-cases/test-case-filters.ts'
import { parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import { nameRerun } from './name-rerun.ts'
import { copyAssignees, type Chain, selectChain, selectMissingNumbers } from './reruns.queries.ts'

type Options = NonNullable<Static<typeof contract.schema.body>>

/**
 * Creates a run with test cases of another one. The lock on the project keeps test cases from being deleted meanwhile, and
 * reruns from getting the same number.
 * @param creator user id, or null for a CI token
 * @returns the new run as a JSON object
 * @throws {Problem} 400 with every test case that is not in the run; 404 when the run is gone; 422 `nothing_to_rerun` when no
 *   test case of the run has such a status, and `too_many_reruns`
 */
export async function createRerun(
  deps: Pick<Deps, 'db' | 'hasMailServer'>,
  source: RunRef,
  creator: string | null,
  options: Options,
): Promise<string> {
  const { project } = source
  return await transactionWithRowMutex(deps.db, project.id, async (tx) => {
    await requireLockedProject(tx, project.id)
    const chain = await selectChain(tx, source)
    if (chain === undefined) throw notFoundProblem('run')
    if (chain.last_number >= MAX_RERUNS) throw tooManyReruns(chain)
    const condition = await chooseTestCases(tx, source, options)
    const kept = new Set(options.keep ?? KEPT_IN_RERUN)
    const run = { id: uuidv7(), group: await takeRunGroup(tx, project.id), project }
    await insertRun(tx, run, { source, chain, creator, kept, name: options.name })
    if ((await insertRunResults(tx, run, condition, { isNew: true })) === 0) throw nothingToRerun(options)
    if (chain.has_combinations) {
      const copied = { statuses: getWanted(options) ?? null, keepsAssignees: kept.has('assignees') }
      await joinByHash(tx, () => copyCombinations(tx, source, run, copied))
    }
    if (kept.has('assignees')) await tellNewAssignees(deps, tx, await copyAssignees(tx, source, run), creator)
    const created = await selectRun(tx, run.id)
    if (created === null) throw notFoundProblem('run')
    return created
  })
}

/** The statuses that are chosen; undefined for any. */
const getWanted = ({ statuses, test_case_ids: ids }: Options) =>
  statuses ?? (ids === undefined ? RERUN_STATUSES : undefined)

/** A condition on `test_cases c`, of which archived ones stay out of new runs. */
async function chooseTestCases(tx: Database, source: RunRef, options: Options): Promise<RawBuilder<unknown>> {
  const { test_case_ids: ids } = options
  const wanted = getWanted(options)
  const conditions = [
    sql`t.project_id = ${source.project.id} and t.run_id = ${source.id} and t.case_number is not null`,
  ]
  if (wanted !== undefined) {
    // Of a result with combinations, each of them counts: another one may be worse.
    conditions.push(sql`(
      t.status = any(${[...wanted]}::result_status[]) or (t.combination_state is not null and exists (
        select from result_combinations k
        where k.project_id = ${source.project.id} and k.run_id = ${source.id} and k.result_id = t.id
          and k.status = any(${[...wanted]}::result_status[])
      ))
    )`)
  }
  if (ids !== undefined) conditions.push(sql`t.case_number = any(${await resolveInRun(tx, source, ids)}::int[])`)
  return sql`${sql.raw(NOT_ARCHIVED)} and c.number in (select t.case_number from test_results t where ${sql.join(conditions, sql` and `)})`
}

/** The numbers of test cases of the run, as PostgreSQL writes an array. */
async function resolveInRun(tx: Database, source: RunRef, ids: readonly string[]): Promise<string> {
  const { numbers, errors } = await resolveTestCaseIds(tx, source.project, ids, { allowsArchived: false })
  if (errors.length > 0) throw invalidProblem(errors)
  const missing = await selectMissingNumbers(tx, source, numbers)
  if (missing.length === 0) return numbers
  const unknown = new Set<number | null>(missing)
  const notInRun = ids.flatMap((id, index): FieldError[] =>
    unknown.has(parseTestCaseNumber(id, source.project.prefix))
      ? [{ path: `/test_case_ids/${index}`, message: 'is not a test case of this run' }]
      : [],
  )
  throw invalidProblem(notInRun)
}

interface NewRerun {
  source: RunRef
  chain: Chain
  creator: string | null
  kept: ReadonlySet<(typeof KEPT_IN_RERUN)[number]>
  name: string | undefined
}

async function insertRun(tx: Database, run: RunRef, { source, chain, creator, kept, name }: NewRerun): Promise<void> {
  const number = chain.last_number + 1
  await tx
    .insertInto('runs')
    .values({
      id: run.id,
      project_id: run.project.id,
      name: name ?? nameRerun(chain.root_name ?? chain.name, number),
      description: kept.has('description') ? chain.description : '',
      milestone_id: kept.has('milestone') ? chain.milestone_id : null,
      created_by: creator,
      run_key: null,
      metadata: '{}',
      run_group: run.group,
      adds_test_cases: false,
      rerun_of: source.id,
      root_run_id: chain.root_id,
      rerun_number: number,
    })
    .execute()
}

function nothingToRerun({ statuses, test_case_ids: ids }: Options) {
  const which = ids === undefined ? 'No test case of the run' : 'None of these test cases'
  const what = (statuses ?? RERUN_STATUSES).join(', ')
  return unprocessableProblem(
    'nothing_to_rerun',
    statuses === undefined && ids !== undefined
      ? 'These test cases were deleted.'
      : `${which} has one of the statuses ${what}. Choose other statuses. Archived test cases stay out.`,
  )
}

const tooManyReruns = ({ name }: Chain) =>
  unprocessableProblem(
    'too_many_reruns',
    `“${name}” belongs to a chain of ${MAX_RERUNS} reruns already. Start a new run with these test cases.`,
  )

import type { Combination, setCombination as contract } from '@caseward/contract/combinations'
import type { ResultStatus } from '@caseward/contract/results'
import { OTHER_TESTS_PLACE } from '@caseward/contract/run-configurations'
import { truncateNote } from '@caseward/matching/note'
import { sql } from 'kysely'
import type { Static } from '@caseward/contract/static'

import type { RunRef } from '../../access/project-cache.ts'
import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalidFieldProblem, notFoundProblem, Problem } from '../../platform/http/problems.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { addResultChanges } from '../events/result-changes.ts'
import { parseBase } from '../results/match-items.ts'
import { withOpenRun } from '../runs/with-open-run.ts'
import { planStepWrite } from '../step-results/plan-step-writes.ts'
import { derivesStatus, saveSteps } from '../step-results/step-results.queries.ts'
import { deleteCombinations } from './combinations.queries.ts'
import type { CombinedResult } from './combined-results.queries.ts'
import { lockCombination, withSteps } from './list-combinations.queries.ts'
import { writeCombinations } from './write-combinations.ts'

/**
 * Sets one combination of a result, given the id of the result or of its test case.
 * @throws {Problem} 404 for an unknown result or combination; 409 for a completed run, or a combination that is newer than the
 *   caller knows; 400 without a status or steps; 422 for an unknown step, or too much text of steps
 */
export async function setCombination(
  deps: Pick<Deps, 'db' | 'announcer'>,
  run: RunRef,
  { id, place }: { id: string; place: number },
  testedBy: string,
  { base_tested_at: base, ...body }: Static<typeof contract.schema.body>,
): Promise<Combination> {
  return await withOpenRun(deps, run, async (tx, changes) => {
    const { result, combination } = await requireCombination(tx, run, id, place)
    const { steps, case_version: caseVersion, note, elapsed } = body
    if (body.status === undefined && steps === undefined) {
      throw invalidFieldProblem('/status', 'is required unless `steps` are sent')
    }
    const stepWrite =
      steps === undefined ? null : await planStepWrite(tx, run, result.id, steps, { caseVersion, place })
    const derives = body.status === undefined && stepWrite !== null && (await derivesStatus(tx, run.project.id))
    const values = {
      status: derives ? (stepWrite.changed.state ?? 'not_tested') : (body.status ?? combination.status),
      note: typeof note === 'string' ? truncateNote(note) : note,
      elapsed,
    }
    if (base !== undefined && isNewer(combination, parseBase(base)) && !isSame(combination, { ...values, testedBy })) {
      throw newerProblem(combination)
    }
    const replacesSteps = stepWrite?.changed.replaces === true
    const writes = [{ resultId: result.id, place, ...values, replacesSteps, caseVersion }]
    const options = { testedBy, finishedAt: null, dryRun: false, changes }
    const { at } = await writeCombinations(tx, run, { results: [result], writes }, options)
    if (stepWrite !== null) await saveSteps(tx, run, [stepWrite])
    // What a server of an earlier version has set may have replaced more than was read.
    const written =
      result.is_set_apart || stepWrite !== null
        ? (await requireCombination(tx, run, id, place)).combination
        : toWritten(combination, values, testedBy, at)
    const [saved = written] = await withSteps(tx, run, result.id, [written])
    return saved
  })
}

/**
 * Deletes one combination of a result.
 * @throws {Problem} 404 for an unknown result or combination; 409 for a completed run
 */
export async function deleteCombination(
  deps: Pick<Deps, 'db' | 'announcer'>,
  run: RunRef,
  { id, place }: { id: string; place: number },
): Promise<Combination> {
  return await withOpenRun(deps, run, async (tx, changes) => {
    const { result, combination } = await requireCombination(tx, run, id, place)
    const deleted = await deleteCombinations(tx, run, sql`c.result_id = ${result.id} and c.place = ${place}`)
    addResultChanges(changes, deleted.at, deleted.ids)
    if (place === OTHER_TESTS_PLACE) await deleteUnused(tx, run)
    return combination
  })
}

/** Without a combination, the configuration for other tests is none that anyone chose. */
async function deleteUnused(tx: Database, { id, project }: RunRef): Promise<void> {
  await sql`
    delete from run_configurations
    where project_id = ${project.id} and run_id = ${id} and place = ${OTHER_TESTS_PLACE}
      and passed_count + failed_count + blocked_count + retest_count + not_tested_count = 0`.execute(tx)
}

async function requireCombination(
  tx: Database,
  run: RunRef,
  id: string,
  place: number,
): Promise<{ result: CombinedResult; combination: Combination }> {
  const found = await lockCombination(tx, run, id, place)
  if (found === undefined) throw notFoundProblem('result')
  const { result, combination } = found
  if (combination === null) throw notFoundProblem('combination')
  return { result, combination }
}

const toWritten = (
  combination: Combination,
  { status, note = combination.note, elapsed = combination.elapsed }: CombinationValues,
  testedBy: string,
  at: Date,
): Combination => ({ ...combination, status, note, elapsed, tested_by: testedBy, tested_at: presentTime(at) })

/** What is written; undefined keeps it. */
interface CombinationValues {
  status: ResultStatus
  note: string | null | undefined
  elapsed: number | null | undefined
}

const isNewer = ({ tested_at: testedAt }: Combination, base: Date | null): boolean =>
  testedAt !== null && (base === null || new Date(testedAt) > base)

/** Whether the same user has set the same values: the client may repeat a request whose response was lost. */
const isSame = (
  current: Combination,
  { status, note, elapsed, testedBy }: CombinationValues & { testedBy: string },
): boolean =>
  current.tested_by === testedBy &&
  current.status === status &&
  (note === undefined || note === current.note) &&
  (elapsed === undefined || elapsed === current.elapsed)

function newerProblem(combination: Combination): Problem {
  const { result_id, test_case_id, name, status, note, elapsed, tested_by, tested_at } = combination
  const current = { id: result_id, test_case_id, test_case_title: name, status, note, elapsed, tested_by, tested_at }
  return new Problem(
    409,
    'newer_result',
    'Someone has set this combination meanwhile, which was kept. Compare it with yours, and send yours with its `tested_at` as `base_tested_at` to overwrite it.',
    { extensions: { current } },
  )
}

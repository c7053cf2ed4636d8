import type { Combination, setCombination as contract } from '@caseward/contract/combinations'
import { OTHER_TESTS_PLACE } from '@caseward/contract/run-configurations'
import { truncateNote } from '@caseward/matching/note'
import { sql } from 'kysely'
import type { Static } from 'typebox'

import type { RunRef } from '../../access/project-cache.ts'
import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notFoundProblem, Problem } from '../../platform/http/problems.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { addResultChanges } from '../events/result-changes.ts'
import { parseBase } from '../results/match-items.ts'
import { withOpenRun } from '../runs/with-open-run.ts'
import { deleteCombinations } from './combinations.queries.ts'
import { lockCombination } from './list-combinations.queries.ts'
import { writeCombinations } from './write-combinations.ts'
import type { CombinedResult } from './write-combinations.queries.ts'

/**
 * Sets one combination of a result, given the id of the result or of its test case.
 * @throws {Problem} 404 for an unknown result or combination; 409 for a completed run, or a combination that is newer than the
 *   caller knows
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
    const { note } = body
    const values = typeof note === 'string' ? { ...body, note: truncateNote(note) } : body
    if (base !== undefined && isNewer(combination, parseBase(base)) && !isSame(combination, { ...values, testedBy })) {
      throw newerProblem(combination)
    }
    const writes = [{ resultId: result.id, place, status: values.status, note: values.note, elapsed: values.elapsed }]
    const options = { testedBy, finishedAt: null, dryRun: false, changes }
    const { at } = await writeCombinations(tx, run, { results: [result], writes }, options)
    // What a server of an earlier version has set may have replaced more than was read.
    if (result.is_set_apart) return (await requireCombination(tx, run, id, place)).combination
    const { status, note: newNote = combination.note, elapsed = combination.elapsed } = values
    return { ...combination, status, note: newNote, elapsed, tested_by: testedBy, tested_at: presentTime(at) }
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

const isNewer = ({ tested_at: testedAt }: Combination, base: Date | null): boolean =>
  testedAt !== null && (base === null || new Date(testedAt) > base)

/** Whether the same user has set the same values: the client may repeat a request whose response was lost. */
const isSame = (
  current: Combination,
  {
    status,
    note,
    elapsed,
    testedBy,
  }: Omit<Static<typeof contract.schema.body>, 'base_tested_at'> & { testedBy: string },
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

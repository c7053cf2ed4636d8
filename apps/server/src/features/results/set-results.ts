import type {
  BulkResultError,
  BulkResultItem,
  NewerResultProblem,
  ResultStatus,
  updateResult,
} from '@caseward/contract/results'
import { truncateNote } from '@caseward/matching/note'
import type { Static } from 'typebox'

import type { Deps } from '../../deps.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { notFoundProblem, Problem } from '../../platform/http/problems.ts'
import { withOpenRun } from '../runs/with-open-run.ts'
import { matchItems, collectNewerResultErrors, collectNotInRunErrors, parseBase } from './match-items.ts'
import { isNewerResult, selectNewerResults } from './newer-results.queries.ts'
import { lockResult, selectResult } from './results.queries.ts'
import { writeResult, writeResults } from './write-results.ts'

/**
 * Sets a result, given its own id or the id of its test case. Fields that are not sent do not change.
 * @returns the result as a JSON object
 * @throws {Problem} 404 for an unknown result; 409 for a completed run, or a result that is newer than the caller knows
 */
export async function setResult(
  deps: Pick<Deps, 'db' | 'announcer'>,
  run: RunRef,
  id: string,
  testedBy: string,
  { status, note, elapsed, base_tested_at: base }: Static<typeof updateResult.schema.body>,
): Promise<string> {
  return await withOpenRun(deps, run, async (tx, changes) => {
    const result = await lockResult(tx, run, id)
    if (result === undefined) throw notFoundProblem('result')
    const change = { status, note: typeof note === 'string' ? truncateNote(note) : note, elapsed }
    if (
      base !== undefined &&
      (await isNewerResult(tx, run, result.id, { ...change, base: parseBase(base) }, testedBy))
    ) {
      throw newerResultProblem((await selectResult(tx, run, result.id)) ?? 'null')
    }
    await writeResult(tx, run, result.id, change, { testedBy, changes })
    const updated = await selectResult(tx, run, result.id)
    if (updated === null) throw notFoundProblem('result')
    return updated
  })
}

/** @param current the result as a JSON object */
function newerResultProblem(current: string): Problem {
  const extensions = { current: JSON.parse(current) as NewerResultProblem['current'] }
  const detail =
    'Someone has set a newer result, which was kept. Compare it with yours, and send yours with its `tested_at` as `base_tested_at` to overwrite it.'
  return new Problem(409, 'newer_result', detail, { extensions })
}

/**
 * Sets many results, each as {@link setResult} does. Returns an error for every item whose test case is not in the run or
 * has a newer result, and stores the others.
 */
export async function setResults(
  deps: Pick<Deps, 'db' | 'announcer'>,
  run: RunRef,
  testedBy: string,
  items: readonly BulkResultItem[],
): Promise<{ stored: { test_case_id: string; status: ResultStatus }[]; errors: BulkResultError[] }> {
  const matched = await matchItems(run.project, items, { readsBase: true })
  const { missing, newer, writes } = await withOpenRun(deps, run, async (tx, changes) => {
    const newerResults = await selectNewerResults(tx, run, matched.writes, testedBy)
    const others = matched.writes.filter(({ caseNumber }) => !newerResults.has(caseNumber))
    const written = await writeResults(tx, run, others, { testedBy, dryRun: false, finishedAt: null, changes })
    return { missing: written.missing, newer: newerResults, writes: others }
  })
  const stored = writes.flatMap(({ caseNumber, status }) =>
    missing.has(caseNumber) ? [] : [{ test_case_id: formatTestCaseId(run.project.prefix, caseNumber), status }],
  )
  const newerTimes = new Map([...newer].map(([number, { tested_at: time }]) => [number, new Date(time ?? 0)]))
  const newerErrors = collectNewerResultErrors(matched, newerTimes).map((error) => {
    const current = newer.get(matched.caseNumbers.get(error.test_case_id) ?? 0)
    return current === undefined ? error : { ...error, current }
  })
  return { stored, errors: [...collectNotInRunErrors(matched, missing), ...newerErrors] }
}

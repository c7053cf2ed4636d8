import type { ResultItem, ResultItemError, ResultStatus, updateResult } from '@caseward/contract/results'
import { truncateNote } from '@caseward/matching/note'
import type { Static } from 'typebox'

import type { Database } from '../../platform/database/connect.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { withOpenRun } from '../runs/with-open-run.ts'
import { matchItems, collectNotInRunErrors } from './match-items.ts'
import { lockResult, selectResult } from './results.queries.ts'
import { writeResult, writeResults } from './write-results.ts'

/**
 * Sets a result, given its own id or the id of its test case. Fields that are not sent do not change.
 * @returns the result as a JSON object
 * @throws {Problem} 404 for an unknown result; 409 for a completed run
 */
export async function setResult(
  db: Database,
  run: RunRef,
  id: string,
  testedBy: string,
  { status, note, elapsed }: Static<typeof updateResult.schema.body>,
): Promise<string> {
  return await withOpenRun(db, run, async (tx) => {
    const result = await lockResult(tx, run, id)
    if (result === undefined) throw notFoundProblem('result')
    const change = { status, note: typeof note === 'string' ? truncateNote(note) : note, elapsed }
    await writeResult(tx, run, result.id, change, testedBy)
    const updated = await selectResult(tx, run, result.id)
    if (updated === null) throw notFoundProblem('result')
    return updated
  })
}

/**
 * Sets many results, each as {@link setResult} does. Returns an error for every item whose test case is not in the run,
 * and stores the others.
 */
export async function setResults(
  db: Database,
  run: RunRef,
  testedBy: string,
  items: readonly ResultItem[],
): Promise<{ stored: { test_case_id: string; status: ResultStatus }[]; errors: ResultItemError[] }> {
  const matched = await matchItems(run.project, items)
  const { missing } = await withOpenRun(db, run, (tx) =>
    writeResults(tx, run, matched.writes, { testedBy, dryRun: false, finishedAt: null }),
  )
  const stored = matched.writes.flatMap(({ caseNumber, status }) =>
    missing.has(caseNumber) ? [] : [{ test_case_id: formatTestCaseId(run.project.prefix, caseNumber), status }],
  )
  return { stored, errors: collectNotInRunErrors(matched, missing) }
}

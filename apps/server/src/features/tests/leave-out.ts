import type { LeftOut } from '@caseward/contract/left-out'

import type { RunRef } from '../../access/project-cache.ts'
import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { recountAttachments } from '../attachments/store-declared.queries.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { addResultChanges, type ResultChanges } from '../events/result-changes.ts'
import { writeResults } from '../results/write-results.ts'
import { placeTestWrites } from '../combinations/split-tests.ts'
import { enqueueEvaluation } from '../evaluation/enqueue-evaluation.ts'
import { invalidateEvaluation } from '../evaluation/evaluated-run.queries.ts'
import { withOpenRun } from '../runs/with-open-run.ts'
import { countSuiteErrors } from '../uploads/suite-errors.queries.ts'
import { addStoredOutcomes, writeDerivedResults } from './derive-results.ts'
import {
  countOutcome,
  deleteLeftOut,
  deleteOutcome,
  deleteSuiteError,
  insertLeftOut,
  insertOutcomeAgain,
  insertSuiteErrorAgain,
  type LeftOutRows,
  selectCaseNumbersOfTest,
  selectTestName,
  selectTestVariant,
} from './left-out.queries.ts'
import { selectLinkedOutcomes } from './outcomes.queries.ts'

type LeaveOutDeps = Pick<Deps, 'db' | 'announcer'>

/** The user who leaves something out or puts it back. */
interface Caller {
  actor: AuditActor
  userId: string
}

/**
 * Sets the outcome of a test in a run aside, and derives the results of its test cases from their other tests.
 * @throws {Problem} 404 when the run has no outcome of the test; 409 when the run is completed
 */
export async function leaveOutTest(
  deps: LeaveOutDeps,
  run: RunRef,
  testId: string,
  { actor, userId }: Caller,
): Promise<LeftOut> {
  if (!isUuid(testId)) throw notFoundProblem('test')
  return await withOpenRun(deps, run, async (tx, changes) => {
    const rows = await deleteOutcome(tx, run, testId)
    if (rows === null) throw notFoundProblem('test')
    await countOutcome(tx, run, rows.content, -1)
    const numbers = await selectCaseNumbersOfTest(tx, run.project.id, testId)
    const variant = changes.hasCombinations ? await selectTestVariant(tx, run.project.id, testId) : ''
    await clearResults(tx, run, numbers, { testedAt: new Date(rows.content.tested_at), variant, changes })
    await deriveResults(tx, run, numbers, changes)
    const name = await selectTestName(tx, run.project.id, testId)
    const leftOut = await insertLeftOut(tx, run, rows, { itemId: testId, name, userId })
    await recordChange(tx, run, actor, { action: 'run.leave_out', leftOut })
    return leftOut
  })
}

/**
 * Sets an error outside of tests aside.
 * @throws {Problem} 404 when the run has no such error; 409 when the run is completed
 */
export async function leaveOutSuiteError(
  deps: LeaveOutDeps,
  run: RunRef,
  errorId: string,
  { actor, userId }: Caller,
): Promise<LeftOut> {
  if (!isUuid(errorId)) throw notFoundProblem('error')
  return await withOpenRun(deps, run, async (tx, changes) => {
    const rows = await deleteSuiteError(tx, run, errorId)
    if (rows === null) throw notFoundProblem('error')
    await countSuiteErrors(tx, run)
    addResultChanges(changes, new Date(), [])
    const name = rows.content.location
    const leftOut = await insertLeftOut(tx, run, rows, { itemId: errorId, name, userId })
    await recordChange(tx, run, actor, { action: 'run.leave_out', leftOut })
    return leftOut
  })
}

/**
 * Puts back what was left out. What was reported again meanwhile stays as it is.
 * @throws {Problem} 404 when it was not left out; 409 when the run is completed
 */
export async function putBackLeftOut(
  deps: LeaveOutDeps,
  run: RunRef,
  itemId: string,
  { actor }: Caller,
): Promise<LeftOut> {
  if (!isUuid(itemId)) throw notFoundProblem('left-out item')
  return await withOpenRun(deps, run, async (tx, changes) => {
    const item = await deleteLeftOut(tx, run, itemId)
    if (item === null) throw notFoundProblem('left-out item')
    await putBackRows(tx, run, item.rows, changes)
    await recordChange(tx, run, actor, { action: 'run.put_back', leftOut: item.leftOut })
    return item.leftOut
  })
}

async function putBackRows(tx: Database, run: RunRef, rows: LeftOutRows, changes: ResultChanges): Promise<void> {
  addResultChanges(changes, new Date(), [])
  if (rows.kind === 'suite_error') {
    await insertSuiteErrorAgain(tx, run, rows)
    await countSuiteErrors(tx, run)
    return
  }
  const numbers = await selectCaseNumbersOfTest(tx, run.project.id, rows.content.test_id)
  // Its links may have changed meanwhile.
  const content = { ...rows.content, is_matched: numbers.length > 0 }
  if (!(await insertOutcomeAgain(tx, { ...rows, content }))) return
  await countOutcome(tx, run, content, 1)
  // Some may have been deleted meanwhile.
  const testIds = typeof content.attachment_count === 'number' ? [content.test_id] : []
  await recountAttachments(tx, run, { testIds, resultIds: [] })
  await deriveResults(tx, run, numbers, changes)
}

/** Results that are newer than the outcome do not come from it. */
async function clearResults(
  tx: Database,
  run: RunRef,
  numbers: readonly number[],
  { testedAt, variant, changes }: { testedAt: Date; variant: string; changes: ResultChanges },
): Promise<void> {
  addResultChanges(changes, new Date(), [])
  const writes = numbers.map((caseNumber) => ({ caseNumber, status: 'not_tested' as const, note: null, elapsed: null }))
  const placed = changes.hasCombinations ? await placeTestWrites(tx, run, writes, variant) : writes
  await writeResults(tx, run, placed, { testedBy: null, dryRun: false, finishedAt: testedAt, changes })
}

async function deriveResults(
  tx: Database,
  run: RunRef,
  numbers: readonly number[],
  changes: ResultChanges,
): Promise<void> {
  const testsByCase = addStoredOutcomes([], await selectLinkedOutcomes(tx, run, numbers))
  if (testsByCase.length > 0) {
    await writeDerivedResults(tx, run, testsByCase, { keepsNewer: true, dryRun: false, changes })
  }
}

async function recordChange(
  tx: Database,
  run: RunRef,
  actor: AuditActor,
  { action, leftOut: { kind, name, outcome } }: { action: 'run.leave_out' | 'run.put_back'; leftOut: LeftOut },
): Promise<void> {
  const { name: runName } = await tx
    .selectFrom('runs')
    .select('name')
    .where('id', '=', run.id)
    .executeTakeFirstOrThrow()
  await recordAudit(tx, actor, {
    action,
    subject: { kind: 'run', id: run.id, name: runName },
    projectId: run.project.id,
    detail: { kind, name, ...(outcome === null ? {} : { outcome }) },
  })
  await invalidateEvaluation(tx, run)
  await enqueueEvaluation(tx, run)
}

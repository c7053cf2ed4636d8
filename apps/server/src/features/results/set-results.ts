import type { BulkResultError, BulkResultItem } from '@caseward/contract/bulk-results'
import type { changeResult, NewerResultProblem, ResultStatus, updateResult } from '@caseward/contract/results'
import { truncateNote } from '@caseward/matching/note'
import type { Static } from '@caseward/contract/static'

import type { Deps } from '../../deps.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { notFoundProblem, Problem } from '../../platform/http/problems.ts'
import { checkPlaces, noCombinationError } from '../combinations/check-places.ts'
import { withOpenRun } from '../runs/with-open-run.ts'
import type { StepRefusal } from '../step-results/change-steps.ts'
import { type CaseSteps, planStepWrite, planStepWrites, toStepKey } from '../step-results/plan-step-writes.ts'
import { derivesStatus, saveSteps } from '../step-results/step-results.queries.ts'
import {
  matchItems,
  collectNewerResultErrors,
  collectNotInRunErrors,
  getDistinctIds,
  parseBase,
} from './match-items.ts'
import { isNewerResult, selectNewerResults } from './newer-results.queries.ts'
import type { ResultWrite } from './result-write.ts'
import { lockResult, selectResult } from './results.queries.ts'
import { planFieldWrite, planFieldWrites } from './result-fields.ts'
import { saveResultValues } from './result-fields.queries.ts'
import { writeResult, writeResults } from './write-results.ts'

type ResultBody = Static<typeof changeResult.schema.body> & Partial<Static<typeof updateResult.schema.body>>

/**
 * Sets a result, given its own id or the id of its test case. Fields that are not sent do not change. Without a status, it
 * follows from steps that are sent if the project derives statuses.
 * @returns the result as a JSON object
 * @throws {Problem} 400 with every invalid value of a field; 404 for an unknown result; 409 for a completed run, or a result that is newer than the caller knows; 422 for
 *   an unknown step, or too much text of steps
 */
export async function setResult(
  deps: Pick<Deps, 'db' | 'announcer'>,
  run: RunRef,
  id: string,
  testedBy: string,
  { status, note, elapsed, steps, base_tested_at: base, case_version: caseVersion, fields }: ResultBody,
): Promise<string> {
  return await withOpenRun(deps, run, async (tx, changes) => {
    const result = await lockResult(tx, run, id)
    if (result === undefined) throw notFoundProblem('result')
    const stepWrite = steps === undefined ? null : await planStepWrite(tx, run, result.id, steps, { caseVersion })
    const fieldWrite =
      fields === undefined ? null : await planFieldWrite(tx, run, result.id, { values: fields, path: '/fields' })
    const derivesFromSteps = status === undefined && stepWrite !== null && (await derivesStatus(tx, run.project.id))
    const change = {
      status: derivesFromSteps ? (stepWrite.changed.state ?? 'not_tested') : status,
      note: typeof note === 'string' ? truncateNote(note) : note,
      elapsed,
      caseVersion,
      keepsTester: [status, note, elapsed, steps, caseVersion].every((part) => part === undefined),
      replacesSteps: stepWrite?.changed.replaces === true || fieldWrite?.replaces === true,
    }
    if (
      base !== undefined &&
      (await isNewerResult(tx, run, result.id, { ...change, base: parseBase(base) }, testedBy))
    ) {
      throw newerResultProblem((await selectResult(tx, run, result.id)) ?? 'null')
    }
    await writeResult(tx, run, result.id, change, { testedBy, changes })
    if (stepWrite !== null) await saveSteps(tx, run, [stepWrite])
    if (fieldWrite !== null) await saveResultValues(tx, run, [fieldWrite])
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
 * @throws {Problem} 400 with every invalid value of a field
 */
export async function setResults(
  deps: Pick<Deps, 'db' | 'announcer'>,
  run: RunRef,
  testedBy: string,
  items: readonly BulkResultItem[],
): Promise<{ stored: { test_case_id: string; status: ResultStatus }[]; errors: BulkResultError[] }> {
  const matched = await matchItems(run.project, items, { isSetByHand: true })
  const { missing, newer, refused, writes, placeErrors } = await withOpenRun(deps, run, async (tx, changes) => {
    const whole = matched.writes.filter(({ place }) => place === undefined)
    const fieldWrites = await planFieldWrites(tx, run, collectFields(matched.writes))
    const newerResults = await selectNewerResults(tx, run, whole, testedBy)
    const placed = await checkPlaces(tx, run, matched.writes, { testedBy, changes })
    const notNewer = [...whole.filter(({ caseNumber }) => !newerResults.has(caseNumber)), ...placed.writes]
    const steps = await planStepWrites(tx, run, collectSteps(notNewer))
    const others = notNewer.flatMap((write) => {
      const key = toStepKey(write)
      if (steps.refused.has(key)) return []
      const replacesSteps =
        steps.planned.get(key)?.changed.replaces === true ||
        (write.fields !== undefined && fieldWrites.get(write.caseNumber)?.replaces === true)
      return [{ ...write, replacesSteps }]
    })
    const written = await writeResults(tx, run, others, { testedBy, dryRun: false, finishedAt: null, changes })
    const unknown = new Set<ResultWrite>(written.unknownPlaces)
    const stored = unknown.size === 0 ? others : others.filter((write) => !unknown.has(write))
    await saveSteps(tx, run, [...steps.planned.values()])
    const storedCases = new Set(stored.flatMap(({ caseNumber, fields }) => (fields === undefined ? [] : [caseNumber])))
    await saveResultValues(
      tx,
      run,
      [...storedCases].flatMap((number) => fieldWrites.get(number) ?? []),
    )
    return {
      missing: written.missing,
      newer: newerResults,
      refused: steps.refused,
      writes: stored,
      placeErrors: [...placed.errors, ...[...unknown].map((write) => noCombinationError(run, write))],
    }
  })
  const stored = writes.flatMap(({ caseNumber, status }) =>
    missing.has(caseNumber) ? [] : [{ test_case_id: formatTestCaseId(run.project.prefix, caseNumber), status }],
  )
  const newerTimes = new Map([...newer].map(([number, { tested_at: time }]) => [number, new Date(time ?? 0)]))
  const caseNumbers = getDistinctIds(matched)
  const newerErrors = collectNewerResultErrors(matched, newerTimes).map((error) => {
    const current = newer.get(caseNumbers.get(error.test_case_id) ?? 0)
    return current === undefined ? error : { ...error, current }
  })
  const refusedOfCase = groupRefusals(refused)
  const stepErrors = [...caseNumbers].flatMap(([id, caseNumber]) => {
    const refusals = refusedOfCase.get(caseNumber ?? 0) ?? []
    return refusals.map(({ detail, code }) => ({ test_case_id: id, error: detail, code }))
  })
  return { stored, errors: [...collectNotInRunErrors(matched, missing), ...placeErrors, ...newerErrors, ...stepErrors] }
}

const collectFields = (writes: readonly ResultWrite[]) =>
  writes.flatMap(({ caseNumber, fields }) => (fields === undefined ? [] : [{ ...fields, caseNumber }]))

const collectSteps = (writes: readonly ResultWrite[]): CaseSteps[] =>
  writes.flatMap(({ caseNumber, place, steps, caseVersion }) =>
    steps === undefined ? [] : [{ caseNumber, place, steps, caseVersion }],
  )

/** Refusals by the number of the test case, whichever of its combinations they are about. */
function groupRefusals(refused: ReadonlyMap<string, StepRefusal>): Map<number, StepRefusal[]> {
  const byCase = new Map<number, StepRefusal[]>()
  for (const [key, refusal] of refused) {
    const caseNumber = Number.parseInt(key, 10)
    byCase.set(caseNumber, [...(byCase.get(caseNumber) ?? []), refusal])
  }
  return byCase
}

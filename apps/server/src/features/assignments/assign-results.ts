import type { assignResults } from '@caseward/contract/assignments'
import { type FieldError, MAX_FIELD_ERRORS } from '@caseward/contract/problem'
import type { Static } from '@caseward/contract/static'

import type { RunRef } from '../../access/project-cache.ts'
import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalidProblem } from '../../platform/http/problems.ts'
import { assignCombinations, findUnknownPlaces } from '../combinations/assign-combinations.queries.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { MAX_EVENT_RESULTS } from '@caseward/contract/events'
import { addResultChanges } from '../events/result-changes.ts'
import { withOpenRun } from '../runs/with-open-run.ts'
import { formatTestCaseId, parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import { enqueueAssignmentMails } from './assignment-mail.ts'
import { type RunResult, selectAssignable, selectResultsOfRun, updateAssignees } from './assignments.queries.ts'

/**
 * Assigns results of a run to people, in turn and in the order of the run, or to nobody. People who get results from
 * somebody else receive an email.
 * @returns the number of results that were chosen
 * @throws {Problem} 404 when the run is gone; 409 when it is completed; 400 with every result that is not in the run, and
 *   everybody who may not test
 */
export async function assignToPeople(
  deps: Pick<Deps, 'db' | 'announcer' | 'hasMailServer'>,
  run: RunRef,
  assignerId: string,
  { result_ids: resultIds, user_ids: userIds, configurations }: Static<typeof assignResults.schema.body>,
): Promise<number> {
  return await withOpenRun(deps, run, async (tx, changes) => {
    const errors = await findUnassignable(tx, run.project.id, userIds)
    const chosen = await chooseResults(tx, run, resultIds, errors)
    if (configurations !== undefined) errors.push(...(await findUnknownPlaces(tx, run, configurations)))
    if (errors.length > 0) throw invalidProblem(errors)
    const assignees = [...new Set(userIds)]
    if (configurations !== undefined) {
      const ofResults = { resultIds: chosen.map(({ id }) => id), configurations }
      const { count, at, ids, newAssignees } = await assignCombinations(tx, run, ofResults, assignees)
      if (ids.length > 0) addResultChanges(changes, at, ids.length > MAX_EVENT_RESULTS ? null : ids)
      await tellNewAssignees(deps, tx, newAssignees, assignerId)
      return count
    }
    const { at, ids, newAssignees } = await updateAssignees(
      tx,
      run,
      chosen.map(({ id }, index) => ({ id, userId: assignees[index % assignees.length] ?? null })),
    )
    if (ids.length > 0) addResultChanges(changes, at, ids.length > MAX_EVENT_RESULTS ? null : ids)
    await tellNewAssignees(deps, tx, newAssignees, assignerId)
    return chosen.length
  })
}

/**
 * Sends an email to people who have got results from somebody else, if the service has a mail server.
 * @param assignerId null for a CI token
 */
export async function tellNewAssignees(
  { hasMailServer }: Pick<Deps, 'hasMailServer'>,
  tx: Database,
  assignees: readonly string[],
  assignerId: string | null,
): Promise<void> {
  const others = assignees.filter((userId) => userId !== assignerId)
  if (hasMailServer && others.length > 0) await enqueueAssignmentMails(tx, others)
}

async function findUnassignable(tx: Database, projectId: string, userIds: readonly string[]): Promise<FieldError[]> {
  const assignable = await selectAssignable(tx, projectId, userIds.filter(isUuid))
  return userIds.flatMap((userId, index) =>
    assignable.has(userId)
      ? []
      : [{ path: `/user_ids/${index}`, message: 'is not an admin or member of this project' }],
  )
}

/** Returns the results with these ids, in the order of the run, and adds an error for every id that is unknown. */
async function chooseResults(
  tx: Database,
  run: RunRef,
  ids: readonly string[],
  errors: FieldError[],
): Promise<RunResult[]> {
  const { prefix } = run.project
  const results = await selectResultsOfRun(tx, run, {
    ids: ids.filter(isUuid),
    caseNumbers: ids.map((id) => parseTestCaseNumber(id, prefix)).filter((number) => number !== null),
  })
  const known = new Set(
    results.flatMap(({ id, case_number: number }) => (number === null ? [id] : [id, formatTestCaseId(prefix, number)])),
  )
  for (const [index, id] of ids.entries()) {
    if (!known.has(id)) errors.push({ path: `/result_ids/${index}`, message: 'is not a result of this run' })
    // One more than the response lists, so that it reports that there are more.
    if (errors.length > MAX_FIELD_ERRORS) break
  }
  return results
}

import { ATTACHMENT_LIMIT } from '@caseward/contract/attachments'

import type { ProjectRef, RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { notFoundProblem, unprocessableProblem } from '../../platform/http/problems.ts'
import { tooManyAttachmentsProblem } from '../files/file-problems.ts'
import { parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import { hasCombination } from '../combinations/has-combination.queries.ts'
import {
  type AttachmentPlace,
  type PlaceState,
  selectResultState,
  selectRunState,
  selectTestCaseState,
} from './attachment-places.queries.ts'

/** A place that exists, and what it has. */
export interface FoundPlace {
  place: AttachmentPlace
  state: PlaceState
}

export const toRunPlace = ({ id: runId, project }: RunRef): AttachmentPlace & { kind: 'run' } => ({
  kind: 'run',
  projectId: project.id,
  runId,
  resultId: null,
  step: null,
})

/** @throws {Problem} 404 when the run is gone */
export async function findRunPlace(db: Database, run: RunRef): Promise<FoundPlace> {
  const state = await selectRunState(db, run.id)
  if (state === null) throw notFoundProblem('run')
  return { place: toRunPlace(run), state }
}

/** @param id of the result, or of its test case @throws {Problem} 404; 422 without such a combination */
export async function findResultPlace(
  db: Database,
  run: RunRef,
  id: string,
  { step = null, combination = null }: { step?: number | null; combination?: number | null } = {},
): Promise<FoundPlace> {
  const { project } = run
  const caseNumber = parseTestCaseNumber(id, project.prefix)
  const isKnown = caseNumber !== null || isUuid(id)
  const state = isKnown
    ? await selectResultState(db, run, caseNumber === null ? { resultId: id } : { caseNumber })
    : null
  if (state === null) throw notFoundProblem('result')
  const { resultId } = state
  const place = { kind: 'run', projectId: project.id, runId: run.id, resultId, step, combination } as const
  await requireCombination(db, place)
  return { place, state }
}

/** @throws {Problem} 404 */
export async function findTestCasePlace(
  db: Database,
  { id: projectId, prefix }: ProjectRef,
  id: string,
  step: number | null = null,
): Promise<FoundPlace> {
  const caseNumber = parseTestCaseNumber(id, prefix)
  const state = caseNumber === null ? null : await selectTestCaseState(db, projectId, caseNumber)
  if (caseNumber === null || state === null) throw notFoundProblem('test case')
  return { place: { kind: 'testCase', projectId, caseNumber, step }, state }
}

/** @throws {Problem} 422 when a file is to be attached to a combination that the result does not have */
export async function requireCombination(db: Database, place: AttachmentPlace): Promise<void> {
  if (place.kind !== 'run' || place.resultId === null) return
  const { combination = null } = place
  if (combination === null || (await hasCombination(db, place, place.resultId, combination))) return
  throw unprocessableProblem('unknown_combination', `The result has no combination at the place ${combination}.`)
}

/** @throws {Problem} 422 when the place has no such step, or cannot have another attachment */
export function requireRoom({ place, state }: FoundPlace): void {
  if (place.step !== null && place.step > state.stepCount) {
    throw unprocessableProblem(
      'unknown_step',
      `The test case has no step ${place.step}: it has ${state.stepCount === 1 ? '1 step' : `${state.stepCount} steps`}.`,
    )
  }
  requireCounts(place, { count: state.count + 1, runCount: state.runCount + 1 })
}

/** @throws {Problem} 422 when a place would have too many attachments */
export function requireCounts(
  place: AttachmentPlace,
  { count, runCount }: Pick<PlaceState, 'count' | 'runCount'>,
): void {
  if (place.kind === 'testCase') {
    if (count > ATTACHMENT_LIMIT.testCase) throw tooManyAttachmentsProblem('test case', ATTACHMENT_LIMIT.testCase)
    return
  }
  if (place.resultId !== null && count > ATTACHMENT_LIMIT.result) {
    throw tooManyAttachmentsProblem('result', ATTACHMENT_LIMIT.result)
  }
  if (runCount > ATTACHMENT_LIMIT.run) throw tooManyAttachmentsProblem('run', ATTACHMENT_LIMIT.run)
}

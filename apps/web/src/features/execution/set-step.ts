import type { ResultRow, ResultStatus, StepChange, StepResult } from '@caseward/client/endpoints'
import { rollUpSteps } from '@caseward/matching/roll-up-steps'

import { getEntryId, type ResultWrite } from '../../outbox/outbox-entry.ts'
import { applyStepChanges } from '../../outbox/step-changes.ts'
import { statusNames } from '../../ui/status/statuses.ts'
import { undoStack } from '../../undo/use-undo.ts'
import type { SetResultContext } from './set-result.ts'

/** The steps of the open result. */
export interface OpenSteps {
  readonly row: ResultRow
  /** With unsent changes. */
  readonly results: readonly StepResult[]
  /** How many steps the test case has. */
  readonly count: number
  /** The version of the test case that the positions are of; undefined if it was never changed. */
  readonly caseVersion: number | undefined
  /** Whether the status of the result follows from its steps. */
  readonly derivesStatus: boolean
}

/** The status that follows from steps; null without results of steps. */
export function getStepState(results: readonly StepResult[], count: number): ResultStatus | null {
  if (results.length === 0) return null
  const statuses = new Map(results.map(({ position, status }) => [position, status]))
  return rollUpSteps(Array.from({ length: count }, (_, index) => statuses.get(index + 1)))
}

type Context = Pick<SetResultContext, 'runId' | 'outbox' | 'getBase' | 'open'>

/** Changes one step. It is stored before this returns, and can be undone. */
export function setStep(context: Context, steps: OpenSteps, change: StepChange): void {
  const { row, results } = steps
  const before = results.find(({ position }) => position === change.position)
  const inverse = {
    ...toWrite(context, steps, [
      {
        position: change.position,
        ...(change.status === undefined ? {} : { status: before?.status ?? null }),
        ...(change.actual === undefined ? {} : { actual: before?.actual ?? null }),
      },
    ]),
    status: row.status,
    stepState: getStepState(results, steps.count),
  }
  const written = toWrite(context, steps, [change])
  context.outbox.write(written)
  const entryId = getEntryId(written)
  const undoId = undoStack.push({
    words: describe(row, change),
    isQuiet: true,
    undo: () => {
      context.outbox.write(inverse)
      context.open(row.id)
    },
  })
  const stop = context.outbox.subscribe(() => {
    const entry = context.outbox.getSnapshot().entries.get(entryId)
    // There is nothing to undo, and the page says so beside the result.
    if (entry !== undefined && entry.problem !== null) undoStack.remove(undoId)
    if (entry === undefined || entry.problem !== null) stop()
  })
}

/** Makes step results of what was ticked with an earlier version. The status stays, whatever the project derives. */
export function passSteps(context: Context, steps: OpenSteps, positions: readonly number[]): void {
  const known = new Set(steps.results.map(({ position }) => position))
  const changes = positions
    .filter((position) => position <= steps.count && !known.has(position))
    .map((position) => ({ position, status: 'passed' as const }))
  if (changes.length > 0) context.outbox.write(toWrite(context, { ...steps, derivesStatus: false }, changes))
}

function toWrite(
  { runId, getBase }: Context,
  { row, results, count, derivesStatus, caseVersion }: OpenSteps,
  changes: readonly StepChange[],
): ResultWrite {
  const stepState = getStepState(applyStepChanges(results, changes), count)
  return {
    runId,
    resultId: row.id,
    testCaseId: row.test_case_id,
    title: row.test_case_title,
    status: derivesStatus ? (stepState ?? 'not_tested') : row.status,
    steps: changes,
    caseVersion,
    stepState,
    keepsStatus: row.combination_statuses !== undefined && !derivesStatus,
    base: getBase(row),
  }
}

function describe(row: ResultRow, { position, status }: StepChange): string {
  const step = `${row.test_case_id ?? row.test_case_title}, step ${position}`
  if (status === undefined) return `${step}: actual result`
  return `${step}: ${statusNames[status ?? 'not_tested'].toLowerCase()}`
}

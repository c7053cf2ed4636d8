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
  /** The combination whose steps they are; null for those of the result as a whole. */
  readonly combination: StepsOfCombination | null
}

/** What a write to the steps of one combination needs to know. */
export interface StepsOfCombination {
  readonly place: number
  readonly name: string
  readonly status: ResultStatus
  /** `tested_at` of what the user sees. */
  readonly base: string | null
  /** All combinations of the result, as the user sees them. */
  readonly all: readonly { readonly place: number; readonly status: ResultStatus }[]
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
    ...toStatus(steps, steps.combination?.status ?? row.status),
    stepState: getStepState(results, steps.count),
  }
  const written = toWrite(context, steps, [change])
  context.outbox.write(written)
  const entryId = getEntryId(written)
  const undoId = undoStack.push({
    words: describe(row, change, steps.combination),
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

function toWrite({ runId, getBase }: Context, steps: OpenSteps, changes: readonly StepChange[]): ResultWrite {
  const { row, results, count, derivesStatus, caseVersion, combination } = steps
  const stepState = getStepState(applyStepChanges(results, changes), count)
  const status = derivesStatus ? (stepState ?? 'not_tested') : (combination?.status ?? row.status)
  return {
    runId,
    resultId: row.id,
    testCaseId: row.test_case_id,
    title: combination === null ? row.test_case_title : `${row.test_case_title} (${combination.name})`,
    ...toStatus(steps, status),
    steps: changes,
    caseVersion,
    stepState,
    keepsStatus: combination === null && row.combination_statuses !== undefined && !derivesStatus,
    base: combination === null ? getBase(row) : combination.base,
  }
}

/** A status, and what follows from it for the result if it is that of one combination. */
function toStatus(
  { combination }: OpenSteps,
  status: ResultStatus,
): Pick<ResultWrite, 'status'> & Partial<ResultWrite> {
  if (combination === null) return { status }
  const { place, all } = combination
  const combinations = all.map((one) => (one.place === place ? status : one.status))
  return { status, place, combinations, resultStatus: rollUpSteps(combinations) }
}

function describe(row: ResultRow, { position, status }: StepChange, combination: StepsOfCombination | null): string {
  const part = combination === null ? '' : `, ${combination.name}`
  const step = `${row.test_case_id ?? row.test_case_title}${part}, step ${position}`
  if (status === undefined) return `${step}: actual result`
  return `${step}: ${statusNames[status ?? 'not_tested'].toLowerCase()}`
}

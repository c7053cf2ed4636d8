import type { ResultDetail, ResultRow, ResultStatus, StepChange, StepResult } from '@caseward/client/endpoints'
import { useEffect, useMemo } from 'react'

import type { OutboxEntry } from '../../outbox/outbox-entry.ts'
import { applyStepChanges } from '../../outbox/step-changes.ts'
import type { ShownCase } from '../runs/shown-case.ts'
import type { SetResultContext } from './set-result.ts'
import { getStepState, type OpenSteps, passSteps, setStep, type StepsOfCombination } from './set-step.ts'
import { takeStepTicks } from './take-step-ticks.ts'

interface OpenStepsOptions {
  readonly context: SetResultContext
  readonly current: ResultRow | null
  readonly detail: ResultDetail | undefined
  /** The text that the page shows; undefined while it loads, or if the test case was deleted. */
  readonly shown: ShownCase | undefined
  readonly entry: OutboxEntry | undefined
  readonly canExecute: boolean
  readonly derivesStatus: boolean
  readonly myId: string | undefined
  /** The combination that is chosen; null for the result as a whole, undefined until its steps are read. */
  readonly combination: OpenCombination | null | undefined
}

/** A combination of the open result, as it is stored, and the unsent write to it. */
export interface OpenCombination extends StepsOfCombination {
  readonly steps: readonly StepResult[]
  /** The same by the positions in the text that was tested; undefined without another text. */
  readonly testedSteps: readonly StepResult[] | undefined
  readonly entry: OutboxEntry | undefined
}

const NO_STEPS: readonly StepResult[] = []

/** The results of the steps of the open test case, and what changes them. */
export function useOpenSteps(options: OpenStepsOptions) {
  const { context, current, detail, shown, canExecute, derivesStatus, myId, combination } = options
  const isOldText = shown !== undefined && shown.testCase !== detail?.test_case
  const ofCombination = combination === null ? null : getSteps(combination, isOldText)
  const isUnknown = combination === undefined || ofCombination === undefined
  const stored = ofCombination ?? (isUnknown ? NO_STEPS : shown === undefined ? detail?.steps : shown.steps)
  const entry = combination === null ? options.entry : combination?.entry
  // A conflict shows both results; the steps are those of the server then.
  const changes = entry?.problem?.kind === 'newer-result' ? undefined : entry?.steps
  const results = useMemo(() => applyStepChanges(stored ?? [], changes), [stored, changes])
  const count = shown?.testCase.steps.length ?? 0
  const steps: OpenSteps | null =
    current === null || detail === undefined || isUnknown
      ? null
      : { row: current, results, count, derivesStatus, caseVersion: shown?.version, combination }
  const state = getStepState(results, count)
  const suggested: ResultStatus | null =
    state === 'not_tested' || state === (combination?.status ?? current?.status) ? null : state

  const mayKeepTicks = canExecute && current !== null && (current.tested_at === null || current.tested_by === myId)
  const resultId = detail?.id
  useEffect(() => {
    if (steps === null || steps.combination !== null || resultId === undefined || !mayKeepTicks) return
    passSteps(context, steps, takeStepTicks(context.runId, resultId))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each result, as it is when it is opened
  }, [resultId, mayKeepTicks])

  return {
    results,
    /** The combination whose steps they are; null for the result as a whole. */
    combination: combination ?? null,
    /** Whether the steps that are shown can be set. */
    canSet: canExecute && !isUnknown,
    /** Tells drafts of steps apart: those of each combination are its own. */
    draftId: current === null ? '' : combination ? `${current.id}/${combination.place}` : current.id,
    /** The status that follows from the steps, if it is another than that of the result. */
    suggested,
    set(change: StepChange): void {
      if (canExecute && steps !== null) setStep(context, steps, change)
    },
  }
}

/** The steps of a combination by the text that is shown; undefined until they are read. */
function getSteps(combination: OpenCombination | undefined, isOldText: boolean): readonly StepResult[] | undefined {
  if (!isOldText || combination?.steps.length === 0) return combination?.steps
  return combination?.testedSteps
}

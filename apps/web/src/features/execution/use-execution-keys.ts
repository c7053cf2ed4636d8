import type { ResultStatus } from '@caseward/client/endpoints'

import type { KeyHandlers } from '../../key-dispatcher.ts'
import type { KeyId } from '../../keys.ts'
import { useKeys } from '../../use-keys.ts'
import type { Execution } from './use-execution.ts'

/** The keys that set a status. */
export const statusKeys = {
  passed: 'passed',
  failed: 'failed',
  blocked: 'blocked',
  retest: 'retest',
} as const satisfies {
  readonly [S in ResultStatus]?: KeyId
}

/** Registers the keys of execution. @param focusSearch puts the focus into the search field */
export function useExecutionKeys(execution: Execution, focusSearch: () => void): void {
  const { current, selection, canExecute, set, timer, steps } = execution
  useKeys({
    search: focusSearch,
    nextResult: () => execution.move(1),
    previousResult: () => execution.move(-1),
    nextFailed: execution.goToNextFailed,
  })
  const editing: KeyHandlers = {
    passed: () => set('passed', false),
    failed: () => set('failed', false),
    blocked: () => set('blocked', false),
    retest: () => set('retest', false),
    passedAndStay: () => set('passed', true),
    failedAndStay: () => set('failed', true),
    blockedAndStay: () => set('blocked', true),
    retestAndStay: () => set('retest', true),
    notTested: () => set('not_tested', true),
    note: execution.openNote,
    select: () => current !== null && selection.toggle(current.id),
    extendDown: () => selection.extend(1),
    extendUp: () => selection.extend(-1),
    selectAll: selection.selectAll,
  }
  useKeys(canExecute ? editing : {})
  const { suggested } = steps
  const hasSuggestion = canExecute && suggested !== null && selection.ids.size === 0
  useKeys(hasSuggestion ? { suggested: () => set(suggested, false) } : {})
  useKeys(timer === null || current === null ? {} : { pauseTimer: () => toggleTimer(timer, current.id) })
  useKeys(selection.ids.size === 0 ? {} : { close: selection.clear })
}

/** Pauses the timer, or lets it run again, also after a status has stopped it. */
export function toggleTimer(timer: NonNullable<Execution['timer']>, resultId: string): void {
  if (timer.isRunning()) return timer.pause()
  timer.open(resultId, true)
  timer.resume()
}

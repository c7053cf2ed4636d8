import { useMemo, useSyncExternalStore } from 'react'

import { createStepTicks } from './step-ticks.ts'

/** Returns the steps of a result that the user has ticked. */
export function useStepTicks(runId: string, resultId: string) {
  const ticks = useMemo(() => createStepTicks(runId), [runId])
  const ticked = useSyncExternalStore(ticks.subscribe, () => ticks.read(resultId))
  return { ticked, toggle: (step: number) => ticks.toggle(resultId, step) }
}

import { useEffect, useMemo } from 'react'

import { usePreference } from '../../use-preferences.ts'
import { createExecutionTimer, type ExecutionTimer } from './execution-timer.ts'

/**
 * Measures how long the open result takes while the window is visible.
 * @param resultId null while none is open, or the user may not set results
 * @returns null if the user has switched the timer off
 */
export function useExecutionTimer(runId: string, resultId: string | null): ExecutionTimer | null {
  const isOn = usePreference('timer')
  const timer = useMemo(() => createExecutionTimer(runId), [runId])
  useEffect(() => {
    if (!isOn) timer.pause()
    else if (resultId !== null) timer.open(resultId, true)
  }, [timer, resultId, isOn])
  useEffect(() => {
    const update = () => timer.setVisible(document.visibilityState === 'visible')
    update()
    document.addEventListener('visibilitychange', update)
    return () => {
      document.removeEventListener('visibilitychange', update)
      // Another page does not count.
      timer.setVisible(false)
    }
  }, [timer])
  return isOn && resultId !== null ? timer : null
}

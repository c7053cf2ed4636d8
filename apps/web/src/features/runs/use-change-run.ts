import type { RunStatus } from '@caseward/client/endpoints'
import { useState } from 'react'

import { useRunActions } from './use-run-actions.ts'
import type { RunData } from './use-run-data.ts'

/** Completes and reopens the run of a page. Both can be undone. */
export function useChangeRun({ run, projectId }: RunData) {
  const { setStatus } = useRunActions(projectId ?? '')
  const [isBusy, setIsBusy] = useState(false)

  /** @returns whether it is done; otherwise the reason was shown */
  async function change(status: RunStatus): Promise<boolean> {
    if (run.data === undefined) return false
    setIsBusy(true)
    const isDone = await setStatus([run.data], status)
    setIsBusy(false)
    return isDone
  }
  return { change, isBusy }
}

import type { RunStatus } from '@caseward/client/endpoints'
import { type ReactNode, useState } from 'react'

import { lazyPart } from '../../ui/lazy-part.tsx'
import { useRunActions } from './use-run-actions.ts'
import type { MissingFields } from './missing-fields.ts'
import type { RunData } from './use-run-data.ts'

const MissingFieldsDialog = lazyPart(async () => (await import('./missing-fields-dialog.tsx')).MissingFieldsDialog, {
  isDialog: true,
})

/** Completes and reopens the run of a page. Both can be undone. */
export function useChangeRun({ run, projectId, may }: RunData) {
  const { setStatus } = useRunActions(projectId ?? '')
  const [isBusy, setIsBusy] = useState(false)
  const [missing, setMissing] = useState<MissingFields | null>(null)

  /** @returns whether it is done; otherwise the reason was shown */
  async function change(status: RunStatus, force = false): Promise<boolean> {
    if (run.data === undefined) return false
    setIsBusy(true)
    const isDone = await setStatus([run.data], status, { force, onMissing: setMissing })
    setIsBusy(false)
    return isDone
  }
  /** Explains which values are missing; the page renders it. */
  const dialog: ReactNode = missing !== null && (
    <MissingFieldsDialog
      runId={run.data?.id ?? ''}
      missing={missing}
      onForce={may('project:settings') ? () => void change('completed', true) : undefined}
      onClose={() => setMissing(null)}
    />
  )
  return { change, isBusy, dialog }
}

import type { Run } from '@caseward/client/endpoints'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import { paths } from '../../paths.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { countTested } from './count-statuses.ts'
import { useRunActions } from './use-run-actions.ts'
import type { RunData } from './use-run-data.ts'

interface DeleteRunProps {
  data: RunData
  run: Run
  onClose: () => void
}

/** Asks, deletes the run, and opens the list of runs. */
export function DeleteRun({ data, run, onClose }: DeleteRunProps) {
  const navigate = useNavigate()
  const actions = useRunActions(run.project_id)
  const [isBusy, setIsBusy] = useState(false)
  const confirm = async () => {
    setIsBusy(true)
    const isDeleted = await actions.remove([run])
    setIsBusy(false)
    if (isDeleted) await navigate(paths.runs(run.project_id))
    else onClose()
  }
  const tested = countTested(data.counts)
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete “${run.name}”?`}
      confirmLabel="Delete run"
      onConfirm={() => void confirm()}
      isBusy={isBusy}
    >
      {tested === 0
        ? 'Its test cases stay in the project. This cannot be undone.'
        : `${formatNumberOf(tested, 'result')} with notes will be lost. The test cases stay in the project. This cannot be undone.`}
    </ConfirmDialog>
  )
}

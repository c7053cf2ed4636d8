import type { Run, RunStatus } from '@caseward/client/endpoints'
import CircleCheck from 'lucide-react/icons/circle-check'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'

import { BulkBar } from '../../ui/bulk-bar.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { countTested } from './count-statuses.ts'
import { useRunActions } from './use-run-actions.ts'

interface RunsBulkBarProps {
  projectId: string
  selected: readonly Run[]
  onClear: () => void
}

/** What can be done with the selected runs. Runs with results are deleted after a question, others with Undo. */
export function RunsBulkBar({ projectId, selected, onClear }: RunsBulkBarProps) {
  const actions = useRunActions(projectId)
  // While the dialog closes, it shows the runs that it asked for.
  const [asked, setAsked] = useState<readonly Run[]>([])
  const [isAsking, setIsAsking] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const withStatus = (status: RunStatus) => selected.filter((run) => run.status === status)
  const results = asked.reduce((sum, { stats }) => sum + countTested(stats), 0)

  async function perform(action: () => Promise<unknown>): Promise<void> {
    setIsBusy(true)
    await action()
    setIsBusy(false)
    setIsAsking(false)
    onClear()
  }
  function remove(): void {
    if (selected.some(({ stats }) => countTested(stats) > 0)) {
      setAsked(selected)
      setIsAsking(true)
      return
    }
    actions.removeLater(selected)
    onClear()
  }
  return (
    <>
      <BulkBar count={selected.length} onClear={onClear}>
        {withStatus('in_progress').length > 0 && (
          <Button
            icon={<CircleCheck />}
            isBusy={isBusy && !isAsking}
            onClick={() => void perform(() => actions.setStatus(withStatus('in_progress'), 'completed'))}
          >
            Complete
          </Button>
        )}
        {withStatus('completed').length > 0 && (
          <Button
            icon={<RotateCcw />}
            isBusy={isBusy && !isAsking}
            onClick={() => void perform(() => actions.setStatus(withStatus('completed'), 'in_progress'))}
          >
            Reopen
          </Button>
        )}
        <Button icon={<Trash />} onClick={remove}>
          Delete
        </Button>
      </BulkBar>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={asked.length === 1 ? `Delete “${asked[0]?.name}”?` : `Delete ${formatNumberOf(asked.length, 'run')}?`}
        confirmLabel={asked.length === 1 ? 'Delete run' : 'Delete runs'}
        isBusy={isBusy}
        onConfirm={() => void perform(() => actions.remove(asked))}
      >
        {`${formatNumberOf(results, 'result')} with notes will be lost. The test cases stay in the project. This cannot be undone.`}
      </ConfirmDialog>
    </>
  )
}

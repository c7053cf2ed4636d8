import Archive from 'lucide-react/icons/archive'
import CircleCheck from 'lucide-react/icons/circle-check'
import Pencil from 'lucide-react/icons/pencil'
import Plus from 'lucide-react/icons/plus'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'

import { BulkBar } from '../../ui/bulk-bar.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import type { MilestoneRow } from './milestone-rows.ts'
import { useMilestoneActions } from './use-milestone-actions.ts'

interface MilestonesBulkBarProps {
  projectId: string
  selected: readonly MilestoneRow[]
  onEdit: (milestoneId: string) => void
  onAddSub: (parentId: string) => void
  onClear: () => void
}

/** What can be done with the selected milestones. Those with sub-milestones are deleted after a question, others with Undo. */
export function MilestonesBulkBar({ projectId, selected, onEdit, onAddSub, onClear }: MilestonesBulkBarProps) {
  const actions = useMilestoneActions(projectId)
  // While the dialog closes, it shows what it asked for.
  const [asked, setAsked] = useState<readonly MilestoneRow[]>([])
  const [isAsking, setIsAsking] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  // The status of a milestone with sub-milestones follows from them.
  const own = selected.flatMap(({ milestone, subCount }) => (subCount === 0 ? [milestone] : []))
  const active = own.filter(({ status }) => status === 'active')
  const done = own.filter(({ status }) => status !== 'active')
  const notArchived = own.filter(({ status }) => status !== 'archived')
  const [only] = selected.length === 1 ? selected : []

  async function perform(action: () => Promise<void>): Promise<void> {
    setIsBusy(true)
    await action()
    setIsBusy(false)
    setIsAsking(false)
    onClear()
  }
  function remove(): void {
    if (selected.some(({ subCount }) => subCount > 0)) {
      setAsked(selected)
      setIsAsking(true)
      return
    }
    actions.removeLater(selected.map(({ milestone }) => milestone))
    onClear()
  }
  const busy = { isBusy: isBusy && !isAsking }
  return (
    <>
      <BulkBar count={selected.length} onClear={onClear}>
        {only !== undefined && (
          <Button icon={<Pencil />} onClick={() => onEdit(only.milestone.id)}>
            Edit
          </Button>
        )}
        {only?.milestone.parent_id === null && (
          <Button icon={<Plus />} onClick={() => onAddSub(only.milestone.id)}>
            Sub-milestone
          </Button>
        )}
        {active.length > 0 && (
          <Button
            {...busy}
            icon={<CircleCheck />}
            onClick={() => void perform(() => actions.setStatus(active, 'completed'))}
          >
            Complete
          </Button>
        )}
        {done.length > 0 && (
          <Button {...busy} icon={<RotateCcw />} onClick={() => void perform(() => actions.setStatus(done, 'active'))}>
            Reopen
          </Button>
        )}
        {notArchived.length > 0 && (
          <Button
            {...busy}
            icon={<Archive />}
            onClick={() => void perform(() => actions.setStatus(notArchived, 'archived'))}
          >
            Archive
          </Button>
        )}
        <Button icon={<Trash />} onClick={remove}>
          Delete
        </Button>
      </BulkBar>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={
          asked.length === 1
            ? `Delete “${asked[0]?.milestone.name}”?`
            : `Delete ${formatNumberOf(asked.length, 'milestone')}?`
        }
        confirmLabel={asked.length === 1 ? 'Delete milestone' : 'Delete milestones'}
        isBusy={isBusy}
        onConfirm={() => void perform(() => actions.remove(asked.map(({ milestone }) => milestone)))}
      >
        {describeLoss(asked)}
      </ConfirmDialog>
    </>
  )
}

function describeLoss(asked: readonly MilestoneRow[]): string {
  const ids = new Set(asked.map(({ milestone }) => milestone.id))
  const subs = asked.reduce((sum, { subCount }) => sum + subCount, 0)
  const alsoDeleted = asked.filter(({ milestone }) => ids.has(milestone.parent_id ?? '')).length
  const kept = subs - alsoDeleted
  const moved = kept === 0 ? '' : `${formatNumberOf(kept, 'sub-milestone')} will move to the top level. `
  return `${moved}The runs stay, without a milestone. This cannot be undone.`
}

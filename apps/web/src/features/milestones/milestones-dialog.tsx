import { MilestoneDialog } from './milestone-dialog.tsx'
import type { FullMilestone } from './milestone-queries.ts'
import type { MilestonesView } from './milestone-words.ts'

interface MilestonesDialogProps {
  projectId: string
  view: MilestonesView
  milestones: readonly FullMilestone[]
  onClose: () => void
}

/** The dialog that the URL says. Nothing for a milestone that does not exist any more. */
export function MilestonesDialog({ projectId, view, milestones, onClose }: MilestonesDialogProps) {
  const find = (id: string | null) => milestones.find((milestone) => milestone.id === id) ?? null
  const edited = find(view.edit)
  if (edited === null && !view.new) return null
  return (
    <MilestoneDialog
      key={edited?.id ?? view.parent ?? 'new'}
      projectId={projectId}
      milestone={edited}
      parent={edited === null ? find(view.parent) : null}
      hasSubs={edited !== null && milestones.some(({ parent_id: parent }) => parent === edited.id)}
      onClose={onClose}
    />
  )
}

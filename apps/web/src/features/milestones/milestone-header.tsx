import Archive from 'lucide-react/icons/archive'
import CircleCheck from 'lucide-react/icons/circle-check'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import Printer from 'lucide-react/icons/printer'
import Share from 'lucide-react/icons/share-2'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { useKeys } from '../../use-keys.ts'
import type { FullMilestone } from './milestone-queries.ts'
import { describeMilestoneDates, explainStatus } from './milestone-words.ts'
import styles from './milestone.module.css'
import { PhaseWord } from './phase-word.tsx'
import { useMilestoneActions } from './use-milestone-actions.ts'

const ShareDialog = lazyPart(async () => (await import('../shares/share-dialog.tsx')).ShareDialog, { isDialog: true })

interface MilestoneHeaderProps {
  projectId: string
  milestone: FullMilestone
  parent: FullMilestone | undefined
  subCount: number
  mayManage: boolean
  onEdit: () => void
  onAddSub: () => void
}

/** The name of a milestone, where its status and dates come from, and what can be done with it. */
export function MilestoneHeader(props: MilestoneHeaderProps) {
  const { projectId, milestone, parent, subCount, mayManage } = props
  const dates = describeMilestoneDates(milestone, subCount, Date.now())
  const status = explainStatus(milestone, subCount)
  return (
    <header className={styles.header}>
      <div className={styles.title}>
        <p className={styles.path}>
          <Link to={paths.milestones(projectId)}>Milestones</Link>
          {parent !== undefined && (
            <>
              {' › '}
              <Link to={paths.milestone(projectId, parent.id)}>{parent.name}</Link>
            </>
          )}
        </p>
        <h1>{milestone.name}</h1>
        <p className={styles.facts}>
          <PhaseWord row={{ milestone, parentName: parent?.name ?? null, subCount }} />
          <span>{dates}</span>
          {status !== null && <span>{status}</span>}
        </p>
      </div>
      {mayManage && <MilestoneActionButtons {...props} />}
    </header>
  )
}

function MilestoneActionButtons({ projectId, milestone, subCount, onEdit, onAddSub }: MilestoneHeaderProps) {
  const actions = useMilestoneActions(projectId)
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const [isSharing, setIsSharing] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const isActive = milestone.status === 'active'
  useKeys({ editTitle: onEdit })

  async function perform(action: () => Promise<void>): Promise<void> {
    setIsBusy(true)
    await action()
    setIsBusy(false)
  }
  function remove(): void {
    if (subCount > 0) {
      setIsAsking(true)
      return
    }
    actions.removeLater([milestone])
    void navigate(paths.milestones(projectId))
  }
  return (
    <div className={styles.actions}>
      <Button onClick={onEdit}>Edit</Button>
      {subCount === 0 && (
        <Button
          icon={isActive ? <CircleCheck /> : <RotateCcw />}
          isBusy={isBusy && !isAsking}
          onClick={() => void perform(() => actions.setStatus([milestone], isActive ? 'completed' : 'active'))}
        >
          {isActive ? 'Complete' : 'Reopen'}
        </Button>
      )}
      <Menu align="end" trigger={<IconButton label="More" icon={<Ellipsis />} />}>
        {milestone.parent_id === null && (
          <MenuItem icon={<Plus />} onSelect={onAddSub}>
            New sub-milestone
          </MenuItem>
        )}
        {subCount === 0 && milestone.status !== 'archived' && (
          <MenuItem icon={<Archive />} onSelect={() => void perform(() => actions.setStatus([milestone], 'archived'))}>
            Archive
          </MenuItem>
        )}
        <MenuItem icon={<Share />} onSelect={() => setIsSharing(true)}>
          Share…
        </MenuItem>
        <MenuItem icon={<Printer />} onSelect={() => window.print()}>
          Print
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash />} isDanger onSelect={remove}>
          Delete milestone
        </MenuItem>
      </Menu>
      {isSharing && (
        <ShareDialog
          subject={{ kind: 'milestone', id: milestone.id, name: milestone.name, projectId }}
          onClose={() => setIsSharing(false)}
        />
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Delete “${milestone.name}”?`}
        confirmLabel="Delete milestone"
        isBusy={isBusy}
        onConfirm={() =>
          void perform(async () => {
            await actions.remove([milestone])
            void navigate(paths.milestones(projectId))
          })
        }
      >
        {`${formatNumberOf(subCount, 'sub-milestone')} will move to the top level. The runs stay, without a milestone. This cannot be undone.`}
      </ConfirmDialog>
    </div>
  )
}

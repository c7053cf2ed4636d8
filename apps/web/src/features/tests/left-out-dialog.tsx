import type { LeftOut } from '@caseward/client/endpoints'

import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Time } from '../../ui/time.tsx'
import styles from './tests-dialogs.module.css'
import { useLeaveOut } from './use-leave-out.ts'

export interface LeftOutProps {
  projectId: string
  runId: string
  /** Whether the user may put something back. */
  mayChange: boolean
  getPerson: (userId: string | null) => string
}

/** What was left out of a run, by whom, and how to put it back. */
export function LeftOutDialog({
  projectId,
  runId,
  mayChange,
  getPerson,
  items,
  onClose,
}: LeftOutProps & { items: readonly LeftOut[]; onClose: () => void }) {
  const { busyId, putBack } = useLeaveOut({ projectId, runId })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Left out of this run"
      size="large"
      description="Tests and errors that users have set aside. They do not count. A report that contains them brings them back."
    >
      <ul className={styles.errors}>
        {items.map((item) => (
          <li key={item.id} className={styles.error}>
            <p className={styles.where}>
              {item.name === '' ? 'Unknown place' : item.name}
              <span className={styles.at}>
                {item.outcome ?? 'error'}, by {getPerson(item.left_out_by)}, <Time at={item.left_out_at} isInText />
              </span>
            </p>
            {mayChange && (
              <div>
                <Button
                  isBusy={busyId === item.id}
                  aria-label={`Put back ${item.name}`}
                  onClick={() => void putBack(item)}
                >
                  Put back
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

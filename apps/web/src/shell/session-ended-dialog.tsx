import { useLocation } from 'react-router'

import { paths } from '../paths.ts'
import buttonLook from '../ui/button.module.css'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Dialog } from '../ui/dialog.tsx'
import { formatNumberOf } from '../ui/format-count.ts'

interface SessionEndedDialogProps {
  /** Number of results that are not saved yet. */
  waitingCount: number
  onClose: () => void
}

/** Opens the sign-in page in another tab, so that this one keeps everything that is not saved. */
export function SessionEndedDialog({ waitingCount, onClose }: SessionEndedDialogProps) {
  const { pathname, search } = useLocation()
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Your session ended"
      description={
        waitingCount === 0
          ? 'Sign in again to go on. What you typed is kept.'
          : `Sign in again to save ${formatNumberOf(waitingCount, 'result')}. What you typed is kept.`
      }
      size="small"
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Later
          </Button>
          <a
            className={classNames(buttonLook.button, buttonLook.primary, buttonLook.form)}
            href={paths.signIn(pathname + search)}
            target="_blank"
            rel="noreferrer"
          >
            Sign in in a new tab
          </a>
        </>
      }
    >
      <p>Come back to this tab afterwards: it saves what waits, and goes on where you were.</p>
    </Dialog>
  )
}

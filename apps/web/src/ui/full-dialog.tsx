import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'

import styles from './full-dialog.module.css'

interface FullDialogProps {
  /** Esc. */
  onClose: () => void
  /** Names the dialog for screen readers. */
  label: string
  children: ReactNode
  /** What has the focus first. */
  initialFocus: RefObject<HTMLElement | null>
}

/** A window over the whole page that keeps the focus until it is closed. Its content has the button that closes it. */
export const FullDialog = ({ onClose, label, children, initialFocus }: FullDialogProps) => (
  <Base.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
    <Base.Portal>
      <Base.Popup className={styles.popup} aria-label={label} initialFocus={initialFocus}>
        {children}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
)

import { Dialog as Base } from '@base-ui/react/dialog'
import X from 'lucide-react/icons/x'
import type { ReactNode, RefObject } from 'react'

import { classNames } from './class-names.ts'
import styles from './dialog.module.css'
import { IconButton } from './icon-button.tsx'

export interface DialogProps {
  isOpen: boolean
  /** Esc, the cross, or a click outside. */
  onClose: () => void
  title: string
  description?: ReactNode
  children: ReactNode
  /** The buttons, the main one last. */
  footer?: ReactNode
  size?: 'small' | 'medium' | 'large'
  /** What has the focus first; by default the first control. */
  initialFocus?: RefObject<HTMLElement | null>
}

/** A window over the page that keeps the focus until it is closed. Below 700 px it is a sheet at the bottom. */
export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  children,
  footer,
  size = 'medium',
  initialFocus,
}: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup
          className={classNames(styles.popup, styles[size])}
          {...(initialFocus === undefined ? {} : { initialFocus })}
        >
          <Base.Title className={classNames(styles.title, styles.head)}>{title}</Base.Title>
          {description !== undefined && (
            <Base.Description className={styles.description}>{description}</Base.Description>
          )}
          <div className={styles.body}>{children}</div>
          {footer !== undefined && <div className={styles.footer}>{footer}</div>}
          {/* The last one, so that the first field has the focus when the dialog opens. */}
          <Base.Close render={<IconButton className={styles.close} label="Close" shortcut="Escape" icon={<X />} />} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactNode, useId, useState } from 'react'

import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import dialogStyles from './dialog.module.css'
import { TextField } from './field.tsx'
import styles from './confirm-dialog.module.css'

interface ConfirmDialogProps {
  isOpen: boolean
  onClose: () => void
  /** The question. */
  title: string
  /** What follows from it. */
  children: ReactNode
  /** What the button does, as a verb with its object. */
  confirmLabel: string
  onConfirm: () => void
  isBusy?: boolean
  /** Whether it cannot be undone. */
  isDanger?: boolean
  /** A button for what may be better. */
  otherAction?: ReactNode
  /** What must be typed first, for the rare things that cannot be undone. */
  mustType?: string
}

/** Asks before something, by default one that cannot be undone. */
export function ConfirmDialog({
  isOpen,
  onClose,
  title,
  children,
  confirmLabel,
  onConfirm,
  isBusy = false,
  isDanger = true,
  otherAction,
  mustType,
}: ConfirmDialogProps) {
  const [typed, setTyped] = useState('')
  const formId = useId()
  const isConfirmed = mustType === undefined || typed.trim() === mustType
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={dialogStyles.backdrop} />
        <AlertDialog.Popup className={classNames(dialogStyles.popup, dialogStyles.small)}>
          <form
            id={formId}
            className={styles.form}
            onSubmit={(event) => {
              event.preventDefault()
              if (isConfirmed) onConfirm()
            }}
          >
            <AlertDialog.Title className={dialogStyles.title}>{title}</AlertDialog.Title>
            <AlertDialog.Description render={<div />} className={styles.description}>
              {children}
            </AlertDialog.Description>
            {mustType !== undefined && (
              <TextField
                label={`Type “${mustType}” to confirm`}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            )}
          </form>
          <div className={dialogStyles.footer}>
            <AlertDialog.Close render={<Button size="form">Cancel</Button>} />
            {otherAction}
            <Button
              type="submit"
              form={formId}
              size="form"
              variant={isDanger ? 'danger' : 'primary'}
              isBusy={isBusy}
              disabled={!isConfirmed}
            >
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

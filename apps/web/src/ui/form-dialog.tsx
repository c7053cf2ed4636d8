import { type RefObject, useId } from 'react'

import { Button } from './button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'

interface FormDialogProps extends Omit<DialogProps, 'isOpen' | 'footer'> {
  /** What the button does, as a verb with its object. */
  submitLabel: string
  /** Also with Enter; not while it is busy or disabled. */
  onSubmit: () => void
  isBusy?: boolean
  isDisabled?: boolean
  /** The button that submits, for a dialog in which it has the focus first. */
  submitRef?: RefObject<HTMLButtonElement | null>
  /** Of the form. */
  className?: string | undefined
}

/** A dialog with a form and the buttons to cancel and to submit it. Errors are said at the fields, not by the browser. */
export function FormDialog({
  submitLabel,
  onSubmit,
  isBusy = false,
  isDisabled = false,
  submitRef,
  className,
  children,
  ...dialog
}: FormDialogProps) {
  const formId = useId()
  return (
    <Dialog
      {...dialog}
      isOpen
      footer={
        <>
          <Button size="form" onClick={dialog.onClose}>
            Cancel
          </Button>
          <Button
            size="form"
            variant="primary"
            type="submit"
            form={formId}
            disabled={isDisabled}
            isBusy={isBusy}
            {...(submitRef === undefined ? {} : { ref: submitRef })}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className={className}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy && !isDisabled) onSubmit()
        }}
      >
        {children}
      </form>
    </Dialog>
  )
}

import { type ComponentPropsWithRef, type KeyboardEvent, type ReactNode, useId } from 'react'

import { classNames } from './class-names.ts'
import styles from './field.module.css'

export interface FieldLook {
  label: string
  /** Hides the label from sight where the place of the field says what it is. */
  isLabelHidden?: boolean
  hint?: ReactNode
  /** What is wrong with the value, as a sentence. */
  error?: string | null | undefined
  /** The number of characters that are allowed; the rest is shown when it becomes small. */
  limit?: number | undefined
}

export interface FieldControl {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  className: string | undefined
}

interface FieldProps extends FieldLook {
  /** The number of characters in the field, if it has a limit. */
  length?: number
  className?: string | undefined
  children: (control: FieldControl) => ReactNode
}

/** The label, the hint and the error of a control, which gets their ids. */
export function Field({
  label,
  isLabelHidden = false,
  hint,
  error,
  limit,
  length = 0,
  className,
  children,
}: FieldProps) {
  const id = useId()
  const hasHint = hint !== undefined && hint !== null
  const hasError = error !== undefined && error !== null
  const counter = limit === undefined ? null : getCounter(length, limit)
  const describedBy = classNames(
    hasHint && `${id}-hint`,
    hasError && `${id}-error`,
    counter !== null && `${id}-counter`,
  )
  return (
    <div className={classNames(styles.field, className)}>
      <label className={isLabelHidden ? styles.hidden : styles.label} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': hasError || undefined,
        className: styles.control,
      })}
      {hasError && (
        <p className={styles.error} id={`${id}-error`}>
          {error}
        </p>
      )}
      {hasHint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {counter !== null && (
        <p className={length > (limit ?? 0) ? styles.error : styles.counter} id={`${id}-counter`}>
          {counter}
        </p>
      )}
    </div>
  )
}

/** The part of the limit from which on the counter is shown. */
const COUNTER_SHARE = 0.8

function getCounter(length: number, limit: number): string | null {
  if (length < limit * COUNTER_SHARE) return null
  const rest = limit - length
  const format = new Intl.NumberFormat('en')
  if (rest >= 0) return `${format.format(rest)} of ${format.format(limit)} characters left`
  return `${format.format(-rest)} ${rest === -1 ? 'character' : 'characters'} too long`
}

type TextFieldProps = Omit<ComponentPropsWithRef<'input'>, 'id'> & FieldLook

/** A field for one line of text. */
export function TextField({ label, isLabelHidden = false, hint, error, limit, className, ...props }: TextFieldProps) {
  const { value } = props
  return (
    <Field
      {...{ label, isLabelHidden, hint, error, className }}
      {...(limit === undefined ? {} : { limit })}
      length={typeof value === 'string' ? value.length : 0}
    >
      {(control) => (
        <input
          type="text"
          autoComplete="off"
          {...props}
          {...control}
          onKeyDown={(event) => {
            props.onKeyDown?.(event)
            if (props.type === 'search') leaveWithEscape(event)
          }}
        />
      )}
    </Field>
  )
}

/** Esc leaves a search field, whose text the browser would delete. In a dialog or menu, it closes that. */
function leaveWithEscape(event: KeyboardEvent<HTMLInputElement>): void {
  const { currentTarget } = event
  if (event.key !== 'Escape' || currentTarget.closest('[role=dialog],[role=menu]') !== null) return
  event.preventDefault()
  currentTarget.blur()
}

import { type ComponentPropsWithRef, type ReactNode, useId } from 'react'

import styles from './checkbox.module.css'
import { classNames } from './class-names.ts'

interface CheckboxProps extends Omit<ComponentPropsWithRef<'input'>, 'type' | 'checked' | 'onChange' | 'ref'> {
  label: string
  /** Hides the label from sight, in rows of tables. */
  isLabelHidden?: boolean
  hint?: ReactNode
  /** `mixed`: some of what it stands for is checked. */
  checked: boolean | 'mixed'
  onChange: (isChecked: boolean, event: React.ChangeEvent<HTMLInputElement>) => void
}

/** A choice between yes and no. */
export function Checkbox({
  label,
  isLabelHidden = false,
  hint,
  checked,
  onChange,
  className,
  ...props
}: CheckboxProps) {
  const id = useId()
  return (
    <span className={classNames(styles.checkbox, className)}>
      <input
        {...props}
        ref={(input) => {
          if (input !== null) input.indeterminate = checked === 'mixed'
        }}
        id={id}
        type="checkbox"
        className={styles.box}
        checked={checked === true}
        aria-label={isLabelHidden ? label : undefined}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.checked, event)}
      />
      {!isLabelHidden && (
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
      )}
      {hint !== undefined && (
        <span className={styles.hint} id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </span>
  )
}

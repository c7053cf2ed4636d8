import type { ComponentPropsWithRef } from 'react'

import { classNames } from './class-names.ts'
import { Field, type FieldLook } from './field.tsx'
import styles from './select.module.css'

export interface SelectOption<Value extends string> {
  value: Value
  label: string
  isDisabled?: boolean
}

interface SelectProps<Value extends string>
  extends Omit<ComponentPropsWithRef<'select'>, 'id' | 'value' | 'onChange' | 'children'>, Omit<FieldLook, 'limit'> {
  value: Value
  options: readonly SelectOption<Value>[]
  onChange: (value: Value) => void
}

/** A choice of one of a few values, with the list of the system. */
export function Select<Value extends string>({
  label,
  isLabelHidden = false,
  hint,
  error,
  options,
  onChange,
  className,
  ...props
}: SelectProps<Value>) {
  return (
    <Field {...{ label, isLabelHidden, hint, error, className }}>
      {(control) => (
        <select
          {...props}
          {...control}
          className={classNames(control.className, styles.select)}
          onChange={({ target }) => onChange(target.value as Value)}
        >
          {options.map(({ value, label: text, isDisabled = false }) => (
            <option key={value} value={value} disabled={isDisabled}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

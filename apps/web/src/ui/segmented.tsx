import { type ReactNode, useId } from 'react'

import styles from './segmented.module.css'

export interface Segment<Value extends string> {
  value: Value
  label: ReactNode
}

interface SegmentedProps<Value extends string> {
  /** Names the choice. */
  label: string
  value: Value
  options: readonly Segment<Value>[]
  onChange: (value: Value) => void
}

/** A choice of one of two to five values that are all visible. */
export function Segmented<Value extends string>({ label, value, options, onChange }: SegmentedProps<Value>) {
  const name = useId()
  return (
    <div className={styles.group} role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label className={styles.segment} key={option.value}>
          <input
            className={styles.input}
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}

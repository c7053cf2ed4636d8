import { type ReactElement, useState } from 'react'

import { toSearchWords } from '../../row-index/search-text.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/field.tsx'
import { Popover } from '../../ui/popover.tsx'
import styles from '../test-cases/cases.module.css'

export interface PickerOption {
  readonly value: string
  readonly label: string
}

interface OptionListProps {
  /** What is chosen from, in the plural: “options”. */
  noun: string
  options: readonly PickerOption[]
  chosen: readonly string[]
  /** Called with what is chosen then. */
  onChange: (chosen: readonly string[]) => void
  /** Whether choosing one takes the others back. */
  isSingle?: boolean
}

/** From so many options on, they can be searched. */
const SEARCHED_FROM = 11

/** Options to choose from, with a search where they are many. */
export function OptionList({ noun, options, chosen, onChange, isSingle = false }: OptionListProps) {
  const [search, setSearch] = useState('')
  const words = toSearchWords(search)
  const shown = options.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
  return (
    <>
      {options.length >= SEARCHED_FROM && (
        <TextField
          label={`Find among the ${noun}`}
          isLabelHidden
          type="search"
          placeholder={`Find among ${options.length} ${noun}`}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      <ul className={styles.tagList}>
        {shown.map(({ value, label }) => (
          <li key={value} className={styles.tagItem}>
            <Checkbox
              label={label}
              checked={chosen.includes(value)}
              onChange={(isChecked) => {
                const others = isSingle ? [] : chosen.filter((other) => other !== value)
                onChange(isChecked ? [...others, value] : others)
              }}
            />
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className={styles.hint}>None of the {noun} matches.</p>}
    </>
  )
}

interface OptionPickerProps extends OptionListProps {
  label: string
  trigger: ReactElement<Record<string, unknown>>
  /** Called when the window is closed. */
  onLeave?: (() => void) | undefined
}

/** A button that opens a list of options. One choice closes it if only one is possible. */
export function OptionPicker({ label, trigger, onLeave, ...list }: OptionPickerProps) {
  const [isOpen, setIsOpen] = useState(false)
  const toggle = (isOpening: boolean) => {
    setIsOpen(isOpening)
    if (!isOpening) onLeave?.()
  }
  return (
    <Popover label={label} isOpen={isOpen} onOpenChange={toggle} trigger={trigger}>
      <OptionList
        {...list}
        onChange={(chosen) => {
          list.onChange(chosen)
          if (list.isSingle === true) toggle(false)
        }}
      />
    </Popover>
  )
}

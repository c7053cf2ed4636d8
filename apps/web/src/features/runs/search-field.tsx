import { type Ref, useState } from 'react'

import { TextField } from '../../ui/field.tsx'

interface SearchFieldProps {
  label: string
  /** The text in the URL. */
  value: string
  onChange: (text: string) => void
  className?: string | undefined
  ref?: Ref<HTMLInputElement>
}

/** A field whose text is in the URL, which changes a moment after the field. */
export function SearchField({ label, value, onChange, className, ref }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const [shownValue, setShownValue] = useState(value)
  // The URL has changed by itself: Back, or a button that clears the filter.
  if (value !== shownValue) {
    setShownValue(value)
    setText(value)
  }
  return (
    <TextField
      {...(ref === undefined ? {} : { ref })}
      label={label}
      isLabelHidden
      type="search"
      placeholder="Search"
      className={className}
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        setShownValue(target.value)
        onChange(target.value)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur()
      }}
    />
  )
}

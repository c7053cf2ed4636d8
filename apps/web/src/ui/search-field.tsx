import { type Ref, useState } from 'react'

import { TextField } from './field.tsx'

interface SearchFieldProps {
  /** Names the field for screen readers. */
  label: string
  /** What is searched for, from the URL. */
  value: string
  onChange: (text: string) => void
  ref?: Ref<HTMLInputElement>
  className?: string | undefined
}

/**
 * A field for a search that the URL contains. While somebody types, the field keeps the text itself: the router changes the
 * URL in a transition, and fast typing would lose characters.
 */
export function SearchField({ label, value, onChange, ref, className }: SearchFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextField
      ref={ref}
      className={className}
      label={label}
      isLabelHidden
      type="search"
      placeholder="Search"
      value={typed ?? value}
      onChange={(event) => {
        setTyped(event.target.value)
        onChange(event.target.value)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

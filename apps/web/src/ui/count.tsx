import { formatCount, formatWholeNumber } from './format-count.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

/** A count: large ones are shortened, with the full number on hover and for screen readers. */
export function Count({ value }: { value: number }) {
  const short = formatCount(value)
  const full = formatWholeNumber(value)
  if (short === full) return <span>{full}</span>
  return (
    <span title={full}>
      <span aria-hidden="true">{short}</span>
      <VisuallyHidden>{full}</VisuallyHidden>
    </span>
  )
}

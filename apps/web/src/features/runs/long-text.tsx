import { type ReactNode, useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'

/** Longer texts are cut: a log of 65,000 characters would hide the rest of the page. */
const MAX_LINES = 40

/** The first lines of a text, with a button for the rest. */
export function LongText({ text, render }: { text: string; render: (text: string) => ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  const lines = text.split('\n')
  if (isOpen || lines.length <= MAX_LINES) return render(text)
  return (
    <div>
      {render(lines.slice(0, MAX_LINES).join('\n'))}
      <Button variant="quiet" onClick={() => setIsOpen(true)}>
        Show all ({formatNumberOf(lines.length, 'line')})
      </Button>
    </div>
  )
}

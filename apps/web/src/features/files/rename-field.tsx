import { useEffect, useRef } from 'react'

import styles from './files.module.css'

/** Where a name is typed. @param onEnd called with the name, or null if it was left with Esc */
export function RenameField({ name, onEnd }: { name: string; onEnd: (name: string | null) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const hasEnded = useRef(false)
  useEffect(() => {
    const dot = name.lastIndexOf('.')
    field.current?.focus()
    // Without the ending, as file managers do.
    field.current?.setSelectionRange(0, dot > 0 ? dot : name.length)
  }, [name])
  function end(chosen: string | null): void {
    if (hasEnded.current) return
    hasEnded.current = true
    onEnd(chosen)
  }
  return (
    <input
      ref={field}
      className={styles.rename}
      aria-label="New name"
      defaultValue={name}
      maxLength={255}
      onBlur={({ target }) => end(target.value.trim())}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        // It would press the button that gets the focus.
        event.preventDefault()
        end(event.key === 'Enter' ? event.currentTarget.value.trim() : null)
      }}
    />
  )
}

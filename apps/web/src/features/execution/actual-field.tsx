import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

import { TextArea } from '../../ui/text-area.tsx'
import type { Notes } from './notes.ts'
import { useTypedNote } from './use-note.ts'

const MAX_LENGTH = 65_536

interface ActualFieldProps {
  position: number
  draftId: string
  saved: string | null
  notes: Notes
  /** @param text null for none */
  onSave: (text: string | null) => void
  onClose: () => void
}

/** The field for the actual result of a step. It is saved when it is left; until then it is kept in this browser. */
export function ActualField({ position, draftId, saved, notes, onSave, onClose }: ActualFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const typed = useTypedNote(notes, draftId)
  const [hadDraft] = useState(typed !== null)
  useEffect(() => {
    // What an earlier visit left is shown, and does not take the focus.
    if (!hadDraft) field.current?.focus()
  }, [hadDraft])

  function save(): void {
    const text = notes.read(draftId)
    if (text !== null) {
      notes.forget(draftId)
      const value = text.trim() === '' ? null : text
      if (value !== saved) onSave(value)
    }
    onClose()
  }
  function handleKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
    const isSave = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (event.key !== 'Escape' && !isSave) return
    event.preventDefault()
    event.stopPropagation()
    // Leaves the field, which saves it. The next key is for the step again.
    event.currentTarget.closest('li')?.querySelector<HTMLElement>('[data-step]')?.focus()
  }
  return (
    <TextArea
      label={`Actual result of step ${position}`}
      inputRef={field}
      value={typed ?? saved ?? ''}
      maxLength={MAX_LENGTH}
      limit={MAX_LENGTH}
      minRows={2}
      maxRows={12}
      placeholder="What happened instead"
      hint={hadDraft && typed !== null ? 'Kept in this browser. It is saved when you leave the field.' : undefined}
      onChange={({ target }) => notes.type(draftId, target.value, saved ?? '')}
      onBlur={save}
      onKeyDown={handleKey}
    />
  )
}

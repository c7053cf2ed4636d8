import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import styles from './text-block.module.css'

interface TextBlockProps {
  /** What is edited: “Precondition”, “Action of step 2”. */
  label: string
  text: string
  placeholder: string
  isEditing: boolean
  /** Missing if the user may not edit. */
  onEdit?: (() => void) | undefined
  onType: (text: string) => void
  /** The field was left. */
  onLeave: () => void
  /** `Esc`: the field is left by key. What was typed stays. */
  onEscape: () => void
  /** Keys of the field; what they handle does nothing else. */
  onKeyDown?: (event: KeyboardEvent<HTMLTextAreaElement>) => void
  onPaste?: (event: React.ClipboardEvent<HTMLTextAreaElement>) => void
  error?: string | null | undefined
  footer?: ReactNode
}

/** The server stores so many characters. */
export const MAX_TEXT = 65_536
/** Longer texts are shown in part. */
const MAX_LINES = 40

/** A text with Markdown: a click, or Enter, turns it into a field that grows. */
export function TextBlock(props: TextBlockProps) {
  const { label, text, placeholder, isEditing, onEdit, onType, onLeave, onEscape, onKeyDown, onPaste, error } = props
  const edit = useRef<HTMLButtonElement>(null)
  const wasLeftByKey = useRef(false)
  useEffect(() => {
    if (isEditing || !wasLeftByKey.current) return
    wasLeftByKey.current = false
    edit.current?.focus()
  }, [isEditing])
  if (isEditing) {
    return (
      <TextArea
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked for the field
        autoFocus
        label={label}
        isLabelHidden
        className={styles.field}
        value={text}
        minRows={1}
        maxRows={40}
        limit={MAX_TEXT}
        placeholder={placeholder}
        error={error ?? null}
        onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
        onChange={({ target }) => onType(target.value)}
        onBlur={onLeave}
        onPaste={onPaste}
        onKeyDown={(event) => {
          onKeyDown?.(event)
          if (event.defaultPrevented || event.key !== 'Escape') return
          event.preventDefault()
          event.stopPropagation()
          wasLeftByKey.current = true
          onEscape()
        }}
      />
    )
  }
  return (
    <div className={styles.block} data-editable={onEdit !== undefined || undefined}>
      {onEdit !== undefined && (
        <button ref={edit} type="button" className={styles.edit} aria-label={`Edit ${label}`} onClick={onEdit} />
      )}
      <div className={styles.text}>
        {text === '' ? <span className={styles.placeholder}>{placeholder}</span> : <LongText text={text} />}
      </div>
      {error !== undefined && error !== null && <p className={styles.error}>{error}</p>}
    </div>
  )
}

function LongText({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(false)
  const lines = text.split('\n')
  if (isWhole || lines.length <= MAX_LINES) return <Markdown text={text} />
  return (
    <>
      <Markdown text={lines.slice(0, MAX_LINES).join('\n')} />
      <Button variant="quiet" onClick={() => setIsWhole(true)}>
        Show all {lines.length} lines
      </Button>
    </>
  )
}

import { type KeyboardEvent, useId, useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Tags } from '../../ui/tags.tsx'
import styles from './tag-field.module.css'

/** The server allows so many characters. */
const MAX_LENGTH = 64
const MAX_TAGS = 50
/** Further tags are shown on request. */
const SHOWN = 12
/** Suggestions that the browser shows. */
const MAX_SUGGESTIONS = 50

interface TagFieldProps {
  label: string
  isLabelHidden?: boolean
  tags: readonly string[]
  onChange: (tags: readonly string[]) => void
  /** The tags of the project. */
  suggestions: readonly string[]
  error?: string | null
  isReadOnly?: boolean
}

/** Tags: Enter or a comma adds one, Backspace in the empty field removes the last. */
export function TagField({
  label,
  isLabelHidden = false,
  tags,
  onChange,
  suggestions,
  error,
  isReadOnly,
}: TagFieldProps) {
  const [text, setText] = useState('')
  const [isWhole, setIsWhole] = useState(false)
  const listId = useId()
  const isFull = tags.length >= MAX_TAGS
  function add(): void {
    const added = text
      .split(',')
      .map((tag) => tag.trim().slice(0, MAX_LENGTH))
      .filter(Boolean)
    setText('')
    if (added.length > 0) onChange([...new Set([...tags, ...added])].slice(0, MAX_TAGS))
  }
  function handleKey(event: KeyboardEvent): void {
    if (event.key === 'Enter' || event.key === ',') {
      if (text.trim() === '') return
      event.preventDefault()
      add()
    } else if (event.key === 'Backspace' && text === '' && tags.length > 0) onChange(tags.slice(0, -1))
  }
  const matching = suggestions
    .filter((tag) => !tags.includes(tag) && tag.toLowerCase().includes(text.trim().toLowerCase()))
    .slice(0, MAX_SUGGESTIONS)
  if (isReadOnly === true) return tags.length === 0 ? null : <Tags tags={tags} />
  return (
    <Field label={label} isLabelHidden={isLabelHidden} error={error}>
      {(control) => (
        <div className={styles.box}>
          <Tags
            tags={isWhole ? tags : tags.slice(0, SHOWN)}
            onRemove={(tag) => onChange(tags.filter((other) => other !== tag))}
          />
          {!isWhole && tags.length > SHOWN && (
            <Button variant="quiet" className={styles.more} onClick={() => setIsWhole(true)}>
              {`Show all ${tags.length}`}
            </Button>
          )}
          <input
            {...control}
            className={styles.input}
            type="text"
            autoComplete="off"
            list={listId}
            maxLength={MAX_LENGTH}
            placeholder={isFull ? 'No more than 50 tags' : tags.length === 0 ? 'Add tags' : 'Add'}
            readOnly={isFull}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={handleKey}
            onBlur={add}
          />
          <datalist id={listId}>
            {matching.map((tag) => (
              <option key={tag} value={tag}>
                {tag}
              </option>
            ))}
          </datalist>
        </div>
      )}
    </Field>
  )
}

import { type RefObject, useState } from 'react'

import { TextArea } from '../../ui/text-area.tsx'
import styles from './case-editor.module.css'
import type { CaseEditing } from './case-editing.ts'

interface TitleFieldProps {
  ref?: RefObject<HTMLTextAreaElement | null> | undefined
  text: string
  error: string | null | undefined
  isNew: boolean
  mayEdit: boolean
  editing: CaseEditing
  /** Enter in the title of a new test case. */
  onNamed: () => void
}

/** The server stores so many characters. */
const MAX_TITLE = 255

/** The title: a heading that is a field. Enter saves it, and goes on with the first step of a new test case. */
export function TitleField({ ref, text, error, isNew, mayEdit, editing, onNamed }: TitleFieldProps) {
  const [hasFocus, setHasFocus] = useState(isNew)
  if (!mayEdit) return <h2 className={styles.title}>{text}</h2>
  return (
    <TextArea
      inputRef={ref}
      label="Title"
      isLabelHidden
      className={styles.titleField}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked for a new test case
      autoFocus={isNew}
      value={text}
      minRows={1}
      // The rest is of interest only while the title is typed.
      limit={hasFocus ? MAX_TITLE : undefined}
      maxLength={MAX_TITLE}
      placeholder="Title of the test case"
      error={error ?? (text.trim() === '' && !isNew ? 'A test case needs a title.' : null)}
      onChange={({ target }) => editing.change({ title: target.value.replaceAll(/\s*\n\s*/g, ' ') })}
      onFocus={() => setHasFocus(true)}
      onBlur={() => {
        setHasFocus(false)
        editing.save()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault()
          editing.save()
          if (isNew && text.trim() !== '') onNamed()
        }
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        event.currentTarget.blur()
      }}
    />
  )
}

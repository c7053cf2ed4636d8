import type { RefObject } from 'react'

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
}

/** The title: a heading that is a field. Enter saves it. */
export function TitleField({ ref, text, error, isNew, mayEdit, editing }: TitleFieldProps) {
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
      limit={255}
      maxLength={255}
      placeholder="Title of the test case"
      error={error ?? (text.trim() === '' && !isNew ? 'A test case needs a title.' : null)}
      onChange={({ target }) => editing.change({ title: target.value.replaceAll(/\s*\n\s*/g, ' ') })}
      onBlur={editing.save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault()
          editing.save()
        }
        if (event.key !== 'Escape' || isNew) return
        event.preventDefault()
        event.stopPropagation()
        editing.restore('title')
        event.currentTarget.blur()
      }}
    />
  )
}

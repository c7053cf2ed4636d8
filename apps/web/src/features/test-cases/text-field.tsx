import { useState } from 'react'

import styles from './case-editor.module.css'
import type { CaseEditing } from './case-editing.ts'
import { TextBlock } from './text-block.tsx'

interface TextFieldProps {
  label: string
  field: 'precondition' | 'expected_result'
  text: string
  placeholder: string
  error: string | null | undefined
  mayEdit: boolean
  editing: CaseEditing
}

/** A long text of a test case under its heading. */
export function TextField({ label, field, text, placeholder, error, mayEdit, editing }: TextFieldProps) {
  const [isEditing, setIsEditing] = useState(false)
  const leave = () => {
    setIsEditing(false)
    editing.save()
  }
  if (!mayEdit && text === '') return null
  return (
    <section className={styles.section} aria-label={label}>
      <h2 className={styles.heading}>{label}</h2>
      <div className={styles.text}>
        <TextBlock
          label={label.toLowerCase()}
          text={text}
          placeholder={placeholder}
          isEditing={isEditing}
          error={error}
          onEdit={mayEdit ? () => setIsEditing(true) : undefined}
          onType={(typed) => editing.change({ [field]: typed })}
          onLeave={leave}
          onEscape={leave}
        />
      </div>
    </section>
  )
}

import type { Field } from '@caseward/client/endpoints'
import { useState } from 'react'

import type { CaseFieldsProps } from '../test-cases/case-editor-props.ts'
import styles from '../test-cases/case-editor.module.css'
import { TextBlock } from '../test-cases/text-block.tsx'
import { FieldControl } from './field-control.tsx'
import { FieldFacts } from './field-facts.tsx'
import { toSent } from './field-values.ts'

interface CustomFieldsProps extends CaseFieldsProps {
  /** All fields of the project, retired ones last. */
  fields: readonly Field[]
}

/** Two columns where there is room for them. */
const columns = {
  gridTemplateColumns: 'repeat(auto-fill, minmax(max(200px, calc(50% - 6px)), 1fr))',
  alignItems: 'start',
}

const hasRoomBeside = ({ type }: Field) => type !== 'long_text'

/** The custom fields of a test case, without its long texts. Retired ones are shown where they have a value. */
export function CustomFields({ projectId, editing, mayEdit, shown, errors, fields }: CustomFieldsProps) {
  const beside = fields.filter(hasRoomBeside)
  const edited = mayEdit ? beside.filter(({ retired_at: at }) => at === null) : []
  const values = shown.fields ?? {}
  return (
    <>
      {edited.length > 0 && (
        <div className={styles.fields} style={columns} role="group" aria-label="Fields of the project">
          {edited.map((field) => (
            <FieldControl
              key={field.key}
              projectId={projectId}
              field={field}
              value={values[field.key]}
              hint={field.description}
              error={errors.get(`fields/${field.key}`)}
              onChange={(value) => editing.change({ fields: { [field.key]: toSent(value) } })}
              onDone={editing.save}
            />
          ))}
        </div>
      )}
      <FieldFacts projectId={projectId} fields={beside.filter((field) => !edited.includes(field))} values={values} />
    </>
  )
}

/** The long texts among the custom fields. */
export function CustomTexts({ editing, mayEdit, shown, errors, fields }: CustomFieldsProps) {
  return fields
    .filter((field) => !hasRoomBeside(field))
    .map((field) => {
      const value = shown.fields?.[field.key]
      const isRetired = field.retired_at !== null
      if (value === undefined && (isRetired || !mayEdit)) return null
      return (
        <CustomText
          key={field.key}
          name={isRetired ? `${field.name} (retired)` : field.name}
          placeholder={field.description || field.name}
          text={typeof value === 'string' ? value : ''}
          error={errors.get(`fields/${field.key}`)}
          onType={
            mayEdit && !isRetired
              ? (text) => editing.change({ fields: { [field.key]: text.trim() === '' ? null : text } })
              : undefined
          }
          onLeave={editing.save}
        />
      )
    })
}

interface CustomTextProps {
  name: string
  placeholder: string
  text: string
  error: string | undefined
  /** Missing if the user may not edit. */
  onType: ((text: string) => void) | undefined
  onLeave: () => void
}

function CustomText({ name, placeholder, text, error, onType, onLeave }: CustomTextProps) {
  const [isEditing, setIsEditing] = useState(false)
  const leave = () => {
    setIsEditing(false)
    onLeave()
  }
  return (
    <section className={styles.section} aria-label={name}>
      <h2 className={styles.heading}>{name}</h2>
      <div className={styles.text}>
        <TextBlock
          label={name}
          text={text}
          placeholder={placeholder}
          isEditing={isEditing}
          error={error}
          onEdit={onType === undefined ? undefined : () => setIsEditing(true)}
          onType={(typed) => onType?.(typed)}
          onLeave={leave}
          onEscape={leave}
        />
      </div>
    </section>
  )
}

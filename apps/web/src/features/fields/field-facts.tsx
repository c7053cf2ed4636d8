import type { Field } from '@caseward/client/endpoints'

import { Fact } from '../test-cases/fact.tsx'
import styles from '../test-cases/case-editor.module.css'
import { usePeople } from '../test-cases/use-people.ts'
import { type FieldValue, formatFieldValue } from './field-words.ts'

interface FieldFactsProps {
  projectId: string
  fields: readonly Field[]
  values: Readonly<Record<string, FieldValue>>
}

/** The values of custom fields that the user may not change. What has no value is left out. */
export function FieldFacts({ projectId, fields, values }: FieldFactsProps) {
  const shown = fields.filter(({ key }) => values[key] !== undefined)
  const { getPerson } = usePeople(
    projectId,
    shown.some(({ type }) => type === 'user'),
  )
  if (shown.length === 0) return null
  return (
    <dl className={styles.facts}>
      {shown.map((field) => {
        const text = formatFieldValue(field, values[field.key], getPerson)
        return (
          <Fact key={field.key} name={field.retired_at === null ? field.name : `${field.name} (retired)`}>
            <span className={styles.key}>
              {field.type === 'url' ? (
                <a href={text} target="_blank" rel="noopener noreferrer">
                  {text}
                </a>
              ) : (
                text
              )}
            </span>
          </Fact>
        )
      })}
    </dl>
  )
}

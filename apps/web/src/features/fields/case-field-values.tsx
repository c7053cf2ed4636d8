import { Markdown } from '../../ui/markdown.tsx'
import styles from '../runs/case-content.module.css'
import { FieldFacts } from './field-facts.tsx'
import type { FieldValue } from './field-words.ts'
import { useFields } from './use-fields.ts'

interface CaseFieldValuesProps {
  projectId: string
  values: Readonly<Record<string, FieldValue>>
  /** Long texts stand after what is tested, the others before. */
  part: 'short' | 'long'
}

/** The values of custom fields, where a test case is executed or read. */
export function CaseFieldValues({ projectId, values, part }: CaseFieldValuesProps) {
  const { all } = useFields(projectId)
  const fields = all.filter(({ type }) => (type === 'long_text') === (part === 'long'))
  if (part === 'short') return <FieldFacts {...{ projectId, fields, values }} />
  return fields.map(({ key, name }) => {
    const value = values[key]
    if (typeof value !== 'string') return null
    return (
      <section key={key} className={styles.part}>
        <h2 className={styles.partTitle}>{name}</h2>
        <Markdown text={value} />
      </section>
    )
  })
}

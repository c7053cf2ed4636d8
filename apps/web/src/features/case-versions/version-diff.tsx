import type { CaseVersion } from '@caseward/client/endpoints'

import conflictStyles from '../test-cases/case-conflict.module.css'
import { type EditedField, editedFieldNames, type FieldContext } from '../test-cases/edited-fields.ts'
import { MarkedWords } from './marked-words.tsx'
import { compareSteps, StepsDiff } from './steps-diff.tsx'
import { Part } from './version-part.tsx'
import { formatVersionField, getFieldName, type VersionContent } from './version-words.ts'

interface VersionDiffProps {
  before: VersionContent
  after: VersionContent
  /** Folders and people; without them, only what a tester reads is compared. */
  context?: FieldContext
}

const NO_CONTEXT: FieldContext = { folders: [], getPerson: () => '' }
const TESTED_FIELDS: readonly EditedField[] = ['title', 'precondition', 'expected_result']
const isText = (field: string) => TESTED_FIELDS.some((name) => name === field)

/** What differs between two versions: words of texts, values, and steps aligned. */
export function VersionDiff({ before, after, context }: VersionDiffProps) {
  const format = (version: VersionContent, field: EditedField) =>
    formatVersionField(version, field, context ?? NO_CONTEXT)
  const fields = (context === undefined ? TESTED_FIELDS : editedFieldNames).flatMap((field) => {
    if (field === 'steps') return []
    const [one, other] = [format(before, field), format(after, field)]
    return one === other ? [] : [{ field, one, other }]
  })
  const keys = [...new Set([...Object.keys(before.fields ?? {}), ...Object.keys(after.fields ?? {})])]
  const values = keys.flatMap((key) => {
    const [one, other] = [formatValue(before.fields?.[key]), formatValue(after.fields?.[key])]
    return one === other ? [] : [{ field: `fields.${key}`, one, other }]
  })
  const compared = compareSteps(before, after)
  const hasChangedSteps = compared.hasChangedSteps || compared.sentences.length > 0
  const all = [...fields, ...values]
  if (all.length === 0 && !hasChangedSteps) return <p className={conflictStyles.hint}>Both versions say the same.</p>
  return (
    <>
      {all.map(({ field, one, other }) => (
        <Part key={field} title={getFieldName(field)}>
          <div className={conflictStyles.text}>
            <MarkedWords before={one} after={other} isWhole={!isText(field)} />
          </div>
        </Part>
      ))}
      <StepsDiff compared={compared} />
    </>
  )
}

export function formatValue(value: NonNullable<CaseVersion['fields']>[string] | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return [value].flat().join(', ')
}

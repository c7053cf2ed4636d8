import type { CaseVersion } from '@caseward/client/endpoints'
import type { ReactNode } from 'react'

import conflictStyles from '../test-cases/case-conflict.module.css'
import { type EditedField, editedFieldNames, type FieldContext } from '../test-cases/edited-fields.ts'
import { type DiffStep, diffSteps, type StepDiff } from './diff-steps.ts'
import { MarkedWords } from './marked-words.tsx'
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
  const steps = diffSteps(before.steps, after.steps)
  const hasChangedSteps = steps.some(({ kind }) => kind !== 'unchanged')
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
      {hasChangedSteps && (
        <Part title="Steps">
          <StepTable steps={steps} />
        </Part>
      )}
    </>
  )
}

export function formatValue(value: NonNullable<CaseVersion['fields']>[string] | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return [value].flat().join(', ')
}

export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={conflictStyles.field}>
    <h3 className={conflictStyles.name}>{title}</h3>
    {children}
  </section>
)

const marks = { unchanged: '', moved: '↕', changed: '~', added: '+', removed: '−' } as const
const words = {
  unchanged: 'Unchanged',
  moved: 'Moved',
  changed: 'Changed',
  added: 'Added',
  removed: 'Removed',
} as const
const tints: Partial<Record<StepDiff['kind'], string>> = {
  added: 'var(--passed-tint)',
  removed: 'var(--failed-tint)',
}

/** A table, so that screen readers can go through its columns. */
const StepTable = ({ steps }: { steps: readonly StepDiff[] }) => (
  <table style={{ width: '100%', borderCollapse: 'collapse' }} className={conflictStyles.text}>
    <thead>
      <tr className={conflictStyles.name}>
        <HeadCell width="6.5rem">Change</HeadCell>
        <HeadCell width="auto">Action</HeadCell>
        <HeadCell width="45%">Expected</HeadCell>
      </tr>
    </thead>
    <tbody>
      {steps.map((step) => (
        <StepRow key={`${step.before?.position ?? ''} ${step.after?.position ?? ''}`} {...step} />
      ))}
    </tbody>
  </table>
)

const cell = {
  padding: '6px 8px',
  borderBlockEnd: '1px solid var(--line)',
  verticalAlign: 'top',
  overflowWrap: 'anywhere',
} as const

const HeadCell = ({ width, children }: { width: string; children: string }) => (
  <th scope="col" style={{ ...cell, width, textAlign: 'start', font: 'inherit' }}>
    {children}
  </th>
)

const empty: DiffStep = { position: 0, action: '', expected: '' }

function StepRow({ kind, before, after }: StepDiff) {
  // Only the texts of a changed step are compared: all words of an added one are new.
  const one = kind === 'changed' ? before : (after ?? before)
  const other = after ?? before ?? empty
  return (
    <tr style={{ background: tints[kind], color: kind === 'unchanged' ? 'var(--muted)' : undefined }}>
      <td style={{ ...cell, whiteSpace: 'nowrap' }}>
        {marks[kind]} {kind === 'moved' ? `${words.moved} ${before.position} → ${after.position}` : words[kind]}
        {kind !== 'moved' && ` ${other.position}`}
      </td>
      <td style={cell}>
        <MarkedWords before={one?.action ?? ''} after={other.action} />
      </td>
      <td style={cell}>
        <MarkedWords before={one?.expected ?? ''} after={other.expected} />
      </td>
    </tr>
  )
}

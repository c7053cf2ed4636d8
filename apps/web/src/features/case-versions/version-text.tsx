import type { CaseVersion, Folder } from '@caseward/client/endpoints'

import { Markdown } from '../../ui/markdown.tsx'
import { GroupedSteps } from '../runs/grouped-steps.tsx'
import { StepView } from '../runs/step-layout.tsx'
import conflictStyles from '../test-cases/case-conflict.module.css'
import { joinSteps } from '@caseward/case-files/join-steps'
import { editedFieldNames } from '../test-cases/edited-fields.ts'
import { formatValue } from './version-diff.tsx'
import { Part } from './version-part.tsx'
import { formatVersionField, getFieldName } from './version-words.ts'

interface VersionTextProps {
  version: CaseVersion
  folders: readonly Folder[]
  getPerson: (id: string) => string
}

const TEXTS = new Set(['title', 'precondition', 'steps', 'expected_result'])

/** A test case as it was, to read. */
export function VersionText({ version, folders, getPerson }: VersionTextProps) {
  const { title, precondition, template, steps, step_groups: groups, fields = {} } = version
  const { expected_result: expectedResult } = version
  const facts = [
    ...editedFieldNames
      .filter((field) => !TEXTS.has(field))
      .map((field) => [field, formatVersionField(version, field, { folders, getPerson })] as const),
    ...Object.entries(fields).map(([key, value]) => [`fields.${key}`, formatValue(value)] as const),
  ].filter(([, text]) => text !== '')
  return (
    <>
      <h3 className={conflictStyles.title}>{title}</h3>
      {precondition !== '' && (
        <Part title="Precondition">
          <Markdown text={precondition} />
        </Part>
      )}
      {steps.length > 0 && template === 'text' && (
        <Part title="Text">
          <Markdown text={joinSteps(steps)} />
        </Part>
      )}
      {steps.length > 0 && template !== 'text' && (
        <Part title="Steps">
          <ol style={{ padding: 0, margin: 0, listStyle: 'none' }}>
            <GroupedSteps
              steps={steps}
              groups={groups}
              renderStep={(step) => <StepView key={step.position} step={step} result={undefined} />}
            />
          </ol>
        </Part>
      )}
      {expectedResult !== '' && (
        <Part title="Expected result">
          <Markdown text={expectedResult} />
        </Part>
      )}
      {facts.map(([field, text]) => (
        <Part key={field} title={getFieldName(field)}>
          <div className={conflictStyles.text}>{text}</div>
        </Part>
      ))}
    </>
  )
}

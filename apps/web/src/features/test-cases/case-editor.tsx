import { useEffect, useRef, useState } from 'react'

import { lazySection } from '../../ui/lazy-section.tsx'
import { useFields } from '../fields/use-fields.ts'
import { CaseOrigin } from './case-origin.tsx'
import { CaseFields } from './case-fields.tsx'
import { CaseConflict } from './case-conflict.tsx'
import { type CaseEditorProps, getShown } from './case-editor-props.ts'
import styles from './case-editor.module.css'
import { describeSaveErrors } from './save-state.tsx'
import { CaseStrip } from './case-strip.tsx'
import { StepsEditor } from './steps-editor.tsx'
import { TitleField } from './title-field.tsx'
import { TextField } from './text-field.tsx'

const CaseText = lazySection(async () => (await import('./case-text.tsx')).CaseText)
const WriteAsText = lazySection(async () => (await import('./case-text.tsx')).WriteAsText)
const SimilarCases = lazySection(async () => (await import('../duplicates/similar-cases.tsx')).SimilarCases)
const CaseFiles = lazySection(async () => (await import('../files/case-files.tsx')).CaseFiles)
const CaseComments = lazySection(async () => (await import('../comments/comment-places.tsx')).CaseComments)
const CustomFields = lazySection(async () => (await import('../fields/custom-fields.tsx')).CustomFields)
const CustomTexts = lazySection(async () => (await import('../fields/custom-fields.tsx')).CustomTexts)
const StepGroupHeader = lazySection(async () => (await import('../shared-steps/step-group-header.tsx')).StepGroupHeader)
const SharedStepMenu = lazySection(async () => (await import('../shared-steps/shared-step-menu.tsx')).SharedStepMenu)
const CaseLinks = lazySection(async () => (await import('../links/case-links.tsx')).CaseLinks)

/** All fields of a test case. */
export function CaseEditor(props: CaseEditorProps) {
  const { editing, state, folders, mayEdit, title, hasSide = false } = props
  const shown = getShown(state)
  const addStep = useRef<HTMLButtonElement>(null)
  const [wasNew] = useState(shown.id === '')
  const hasConflict = state.conflict !== null
  const hadConflict = useRef(hasConflict)
  useEffect(() => {
    // The button that has ended the conflict is gone.
    if (hadConflict.current && !hasConflict) title?.current?.focus()
    hadConflict.current = hasConflict
  }, [hasConflict, title])
  const errors = describeSaveErrors(state)
  const fields = useFields(props.projectId)
  const custom = fields.all.length > 0 && { ...props, shown, errors, fields: fields.all }
  const text = (field: 'precondition' | 'expected_result', label: string, placeholder: string) => (
    <TextField {...{ label, placeholder, mayEdit, editing, field }} text={shown[field]} error={errors.get(field)} />
  )
  if (state.conflict !== null)
    return <CaseConflict projectId={props.projectId} conflict={state.conflict} folders={folders} editing={editing} />
  return (
    <div className={hasSide ? styles.wide : styles.editor} data-takes-files>
      <div className={styles.main}>
        <TitleField
          ref={title}
          text={shown.title}
          error={errors.get('title')}
          isNew={shown.id === ''}
          mayEdit={mayEdit}
          editing={editing}
          onNamed={() => (shown.steps.length === 0 ? addStep.current?.click() : addStep.current?.focus())}
        />
        {wasNew && state.saved.id !== '' && <SimilarCases projectId={props.projectId} testCase={shown} />}
        {!hasSide && shown.id !== '' && <CaseStrip projectId={props.projectId} caseId={shown.id} />}
        {!hasSide && <CaseFields {...props} shown={shown} errors={errors} />}
        {!hasSide && custom && <CustomFields {...custom} />}
        {text('precondition', 'Precondition', 'What must be true before')}
        {shown.template === 'text' ? (
          <CaseText {...{ shown, editing, mayEdit }} error={findStepError(errors)} />
        ) : (
          <section className={styles.section} aria-label="Steps">
            <h2 className={styles.heading}>Steps</h2>
            <StepsEditor
              value={shown.steps}
              stored={state.saved.step_groups === undefined ? undefined : state.saved}
              renderGroup={(group, isOpen, onToggle) => (
                <StepGroupHeader
                  {...{ group, isOpen, onToggle, mayEdit }}
                  projectId={props.projectId}
                  caseId={shown.id}
                />
              )}
              mayEdit={mayEdit}
              addButton={addStep}
              error={findStepError(errors)}
              onChange={(steps) => editing.change({ steps })}
              onLeave={editing.save}
            >
              {mayEdit && shown.id !== '' && <SharedStepMenu projectId={props.projectId} state={state} />}
            </StepsEditor>
            {mayEdit && <WriteAsText shown={shown} editing={editing} />}
          </section>
        )}
        {text('expected_result', 'Expected result', 'What is true afterwards')}
        {custom && <CustomTexts {...custom} />}
        {shown.id !== '' && (
          <CaseFiles key={`files ${shown.id}`} projectId={props.projectId} caseId={shown.id} mayAdd={mayEdit} />
        )}
        {shown.id !== '' && (
          <CaseLinks key={shown.id} projectId={props.projectId} caseId={shown.id} mayChange={mayEdit} />
        )}
        {!hasSide && <CaseOrigin {...props} shown={shown} errors={errors} />}
        {shown.id !== '' && <CaseComments key={`comments ${shown.id}`} projectId={props.projectId} caseId={shown.id} />}
      </div>
      {hasSide && (
        <div className={styles.side}>
          <CaseFields {...props} shown={shown} errors={errors} />
          {custom && <CustomFields {...custom} />}
          <CaseOrigin {...props} shown={shown} errors={errors} />
        </div>
      )}
    </div>
  )
}

/** The server names a step by its index: `steps/3/action`. */
function findStepError(errors: ReadonlyMap<string, string>): string | null {
  for (const [name, message] of errors) {
    const index = /^steps\/(\d+)/.exec(name)?.[1]
    if (index !== undefined) return `Step ${Number(index) + 1}: ${message}`
  }
  return errors.get('steps') ?? null
}

import { describeFailure } from '../../problems.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import type { CaseEditing, CaseEditingState } from './case-editing.ts'
import styles from './save-state.module.css'

const words = { saved: 'Saved', unsaved: 'Unsaved', saving: 'Saving', 'not-saved': 'Not saved' } as const

/** Says whether the server has what is shown. */
export function SaveState({ state }: { state: CaseEditingState }) {
  const isWaitingForTitle =
    state.saved.id === '' && state.status !== 'saving' && (state.changes.title ?? '').trim() === ''
  const text = isWaitingForTitle ? 'Draft' : words[state.status]
  return (
    <span className={styles.state} data-status={state.status} role="status">
      {text}
    </span>
  )
}

/** Messages of the last attempt by field. */
export function describeSaveErrors(state: CaseEditingState): ReadonlyMap<string, string> {
  if (state.error === null) return new Map()
  const { fields, message, kind } = describeFailure(state.error, { noun: 'test case' })
  // 409: the only field that must be unique.
  if (fields.size === 0 && kind === 'refused' && state.changes.automation_keys !== undefined) {
    return new Map([['automation_keys', message]])
  }
  return fields
}

/** Why the last attempt failed, unless a field says it. */
export function SaveFailure({ state, editing }: { state: CaseEditingState; editing: CaseEditing }) {
  if (state.error === null || describeSaveErrors(state).size > 0) return null
  const { message, canRetry, requestId } = describeFailure(state.error, { noun: 'test case' })
  return (
    <Banner
      tone="error"
      actions={
        <>
          <Button onClick={editing.save}>{canRetry ? 'Try again now' : 'Try again'}</Button>
          {requestId !== null && <CopyButton text={requestId} label="Copy the id" />}
        </>
      }
    >
      <strong>Your changes are not saved.</strong> {message}
    </Banner>
  )
}

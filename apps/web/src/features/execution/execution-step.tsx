import type { StepChange, StepStatus } from '@caseward/client/endpoints'
import NotebookPen from 'lucide-react/icons/notebook-pen'
import { type KeyboardEvent, memo, useState } from 'react'

import { IconButton } from '../../ui/icon-button.tsx'
import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import { statusNames } from '../../ui/status/statuses.ts'
import { classNames } from '../../ui/class-names.ts'
import { StepLayout } from '../runs/step-layout.tsx'
import { ActualResult } from '../runs/actual-result.tsx'
import { ActualField } from './actual-field.tsx'
import styles from './execution-step.module.css'
import type { Notes } from './notes.ts'

/** In the order of the keys `Shift` `1` to `4`. */
export const STEP_STATUSES = ['passed', 'failed', 'blocked', 'retest'] as const satisfies readonly StepStatus[]

interface ExecutionStepProps {
  position: number
  action: string
  expected: string
  status: StepStatus | null
  actual: string | null
  resultId: string
  notes: Notes
  onChange: (change: StepChange) => void
}

/** A step with its status and actual result. Of 500, only the one that changes is rendered again. */
export const ExecutionStep = memo((props: ExecutionStepProps) => {
  const { position, action, expected, status, actual, resultId, notes, onChange } = props
  const draftId = `${resultId}/step/${position}`
  const [isEditing, setIsEditing] = useState(() => notes.read(draftId) !== null)
  const set = (value: StepStatus) => onChange({ position, status: value === status ? null : value })
  return (
    <StepLayout
      action={action}
      expected={expected}
      isDone={status === 'passed'}
      onKeyDown={moveInStep}
      number={
        <button
          type="button"
          className={classNames(styles.number, status !== null && styles[status])}
          data-step={position}
          data-status={status ?? undefined}
          aria-label={`Step ${position}, ${statusNames[status ?? 'not_tested'].toLowerCase()}`}
          onClick={() => set('passed')}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
            event.preventDefault()
            setIsEditing(true)
          }}
        >
          {position}
        </button>
      }
      controls={
        <div className={styles.controls} role="group" aria-label={`Result of step ${position}`}>
          {STEP_STATUSES.map((value) => (
            <button
              key={value}
              type="button"
              className={styles.choice}
              tabIndex={-1}
              aria-label={statusNames[value]}
              aria-pressed={value === status}
              title={statusNames[value]}
              onClick={() => set(value)}
            >
              <StatusGlyph status={value} isNamed={false} />
            </button>
          ))}
          <IconButton
            label="Actual result"
            shortcut="Enter"
            className={styles.write}
            tabIndex={-1}
            icon={<NotebookPen />}
            onClick={() => setIsEditing(true)}
          />
        </div>
      }
    >
      {isEditing ? (
        <ActualField
          position={position}
          draftId={draftId}
          saved={actual}
          notes={notes}
          onSave={(text) => onChange({ position, actual: text })}
          onClose={() => setIsEditing(false)}
        />
      ) : (
        actual !== null && <ActualResult text={actual} />
      )}
    </StepLayout>
  )
})

/** Walks through the buttons of a step with the arrow keys: Tab goes from step to step. */
function moveInStep(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const index = buttons.findIndex((button) => button === event.target)
  if (index === -1) return
  event.preventDefault()
  buttons[index + (event.key === 'ArrowRight' ? 1 : -1)]?.focus()
}

import Plus from 'lucide-react/icons/plus'

import { Button } from '../../ui/button.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { StepRow } from './step-row.tsx'
import styles from './steps-editor.module.css'
import { MAX_STEPS, useSteps } from './use-steps.ts'

interface StepsEditorProps {
  value: readonly { action: string; expected?: string }[]
  mayEdit: boolean
  onChange: (steps: { action: string; expected: string }[]) => void
  onLeave: () => void
  onRestore: () => void
  error?: string | null | undefined
}

/** The steps of a test case: two fields each, one below the other. */
export function StepsEditor({ value, mayEdit, onChange, onLeave, onRestore, error }: StepsEditorProps) {
  const editing = useSteps({ value, onChange, onLeave, onRestore })
  const { steps, pasted } = editing
  return (
    <div className={styles.editor}>
      {steps.length > 0 && (
        <ol className={styles.list} aria-label="Steps">
          {steps.map((step, index) => (
            <StepRow
              key={step.key}
              step={step}
              index={index}
              count={steps.length}
              editing={editing}
              mayEdit={mayEdit}
            />
          ))}
        </ol>
      )}
      {pasted !== null && (
        <div className={styles.pasted} role="group" aria-label="Pasted steps">
          <p className={styles.pastedTitle}>{formatNumberOf(pasted.steps.length, 'step')} in what you pasted</p>
          <ol className={styles.preview}>
            {pasted.steps.map(({ action, expected }, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- the lines have no other identity
              <li key={index} className={styles.previewStep}>
                <span>{action}</span>
                <span className={styles.previewExpected}>{expected}</span>
              </li>
            ))}
          </ol>
          <div className={styles.actions}>
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- Enter accepts what was pasted */}
            <Button variant="primary" shortcut="Enter" autoFocus onClick={editing.acceptPasted}>
              Add {formatNumberOf(pasted.steps.length, 'step')}
            </Button>
            <Button onClick={editing.pasteAsText}>Paste as text</Button>
            <Button variant="quiet" onClick={editing.cancelPaste}>
              Cancel
            </Button>
          </div>
        </div>
      )}
      {error !== undefined && error !== null && <p className={styles.error}>{error}</p>}
      {mayEdit && steps.length < MAX_STEPS && (
        <Button variant="quiet" className={styles.add} icon={<Plus />} onClick={() => editing.add(steps.length - 1)}>
          Add a step
        </Button>
      )}
      {!mayEdit && steps.length === 0 && <p className={styles.none}>No steps</p>}
    </div>
  )
}

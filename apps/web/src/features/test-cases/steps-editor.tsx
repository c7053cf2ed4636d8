import Plus from 'lucide-react/icons/plus'
import { Fragment, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'

import { Button } from '../../ui/button.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import type { StepMark, StoredSteps } from './step-groups.ts'
import { StepGroupRow } from './step-group-row.tsx'
import { StepRow } from './step-row.tsx'
import styles from './steps-editor.module.css'
import { MAX_STEPS, useSteps } from './use-steps.ts'

interface StepsEditorProps {
  value: readonly { action: string; expected?: string }[]
  /** The steps as the server has them, if some come from shared steps. */
  stored?: StoredSteps | undefined
  /** What stands above the steps of a shared step. */
  renderGroup?: (group: StepMark['group'], isOpen: boolean, onToggle: () => void) => ReactNode
  /** Further actions, beside that which adds a step. */
  children?: ReactNode
  mayEdit: boolean
  onChange: (steps: { action: string; expected: string }[]) => void
  onLeave: () => void
  error?: string | null | undefined
  addButton: RefObject<HTMLButtonElement | null>
}

/** The steps of a test case: two fields each, one below the other. */
export function StepsEditor({ mayEdit, error, addButton, renderGroup, children, ...input }: StepsEditorProps) {
  const editing = useSteps(input)
  const { steps, marks, focus, pasted, gap, actions } = editing
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const getKey = ({ shared_step_id: id, first }: StepMark['group']) => `${id} ${first}`
  const toggle = (key: string) =>
    setClosed((current) =>
      current.has(key) ? new Set([...current].filter((other) => other !== key)) : new Set([...current, key]),
    )
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    if (gap === null) return undefined
    // The menu of the step, if it was that, gives the focus back first.
    const frame = requestAnimationFrame(() => {
      const rows = list.current?.querySelectorAll(':scope > [data-step]')
      const row = rows?.[Math.min(Math.max(gap.index, 0), rows.length - 1)]
      const target = row?.querySelector<HTMLElement>('button') ?? addButton.current
      target?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [gap, addButton])
  return (
    <div className={styles.editor}>
      {steps.length > 0 && (
        <ol ref={list} className={styles.list} aria-label="Steps">
          {steps.map((step, index) => {
            const mark = marks.get(step.key)
            const isClosed = mark !== undefined && closed.has(getKey(mark.group))
            return (
              <Fragment key={step.key}>
                {mark?.isFirst === true && (
                  <StepGroupRow
                    mark={mark}
                    stepKey={step.key}
                    index={index}
                    isLast={index + mark.group.count === steps.length}
                    isFolded={isClosed}
                    actions={actions}
                    mayEdit={mayEdit}
                  >
                    {renderGroup?.(mark.group, !isClosed, () => toggle(getKey(mark.group)))}
                  </StepGroupRow>
                )}
                {!isClosed && (
                  <StepRow
                    step={step}
                    index={index}
                    isLast={index === steps.length - 1}
                    editedField={pasted === null && focus?.key === step.key ? focus.field : null}
                    actions={actions}
                    mayEdit={mayEdit && mark === undefined}
                    takes={mayEdit && mark?.isLast === true ? 'after' : undefined}
                  />
                )}
              </Fragment>
            )
          })}
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
          {pasted.leftCount > 0 && (
            <p className={styles.error}>
              {`A test case has at most ${MAX_STEPS} steps: the last ${formatNumberOf(pasted.leftCount, 'line')} will not be added.`}
            </p>
          )}
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
        <Button
          ref={addButton}
          variant="quiet"
          className={styles.add}
          icon={<Plus />}
          onClick={() => editing.add(steps.length - 1)}
        >
          Add a step
        </Button>
      )}
      {children}
      {!mayEdit && steps.length === 0 && <p className={styles.none}>No steps</p>}
    </div>
  )
}

import GripVertical from 'lucide-react/icons/grip-vertical'
import { memo, useEffect, useRef } from 'react'

import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { makeStepDraggable } from './drag-steps.ts'
import type { EditedStep, StepField } from './step-list.ts'
import styles from './steps-editor.module.css'
import { TextBlock } from './text-block.tsx'
import type { StepActions } from './use-steps.ts'

interface StepRowProps {
  step: EditedStep
  index: number
  isLast: boolean
  /** The field that is edited; null for none. */
  editedField: StepField | null
  actions: StepActions
  mayEdit: boolean
  /** Where others can be dropped, if the step itself stays: after the last one of a shared step. */
  takes?: 'after' | undefined
}

/** One step: its number, which is its handle as well, the action and the expected result. */
export const StepRow = memo(function StepRow(props: StepRowProps) {
  const { step, index, isLast, editedField, actions, mayEdit, takes } = props
  const row = useRef<HTMLLIElement>(null)
  const { moveTo, moveBy } = actions
  const place = useRef(index)
  useEffect(() => {
    place.current = index
  })
  useEffect(() => {
    if ((!mayEdit && takes === undefined) || row.current === null) return undefined
    return makeStepDraggable(
      row.current,
      step.key,
      (key, edge) => moveTo(key, edge === 'top' ? place.current : place.current + 1),
      () => place.current,
      takes === 'after' ? { edges: ['bottom'], isFixed: true } : {},
    )
  }, [step.key, mayEdit, takes, moveTo])
  return (
    <li ref={row} className={styles.step} data-step>
      {mayEdit ? (
        <Menu
          opensOnRelease
          trigger={
            <IconButton
              className={styles.handle}
              label={`Step ${index + 1}: move or delete`}
              icon={<StepNumber value={index + 1} />}
            />
          }
        >
          <MenuItem shortcut="Alt+ArrowUp" isDisabled={index === 0} onSelect={() => moveBy(step.key, -1)}>
            Move up
          </MenuItem>
          <MenuItem shortcut="Alt+ArrowDown" isDisabled={isLast} onSelect={() => moveBy(step.key, 1)}>
            Move down
          </MenuItem>
          <MenuItem shortcut="$mod+D" onSelect={() => actions.duplicate(step.key)}>
            Duplicate
          </MenuItem>
          <MenuSeparator />
          <MenuItem shortcut="$mod+Backspace" isDanger onSelect={() => actions.remove(step.key)}>
            Delete
          </MenuItem>
        </Menu>
      ) : (
        <span className={styles.number}>{index + 1}</span>
      )}
      <div className={styles.fields}>
        <StepText field="action" {...{ step, index, editedField, actions, mayEdit }} />
        <StepText field="expected" {...{ step, index, editedField, actions, mayEdit }} />
      </div>
    </li>
  )
})

const StepNumber = ({ value }: { value: number }) => (
  <>
    <span className={styles.number}>{value}</span>
    <GripVertical className={styles.grip} />
  </>
)

const labels = { action: 'action', expected: 'expected result' } as const
const placeholders = { action: 'Action', expected: 'Expected result' } as const

type StepTextProps = Omit<StepRowProps, 'isLast'> & { field: StepField }

function StepText({ step, index, field, editedField, actions, mayEdit }: StepTextProps) {
  if (!mayEdit && step[field] === '') return null
  return (
    <div className={styles[field]}>
      <TextBlock
        label={`${labels[field]} of step ${index + 1}`}
        text={step[field]}
        placeholder={placeholders[field]}
        isEditing={editedField === field}
        onEdit={mayEdit ? () => actions.edit(step.key, field) : undefined}
        onType={(text) => actions.type(step.key, field, text)}
        onLeave={() => actions.leave(step.key, field)}
        onEscape={() => actions.escape(step.key)}
        onKeyDown={(event) => actions.handleKey(event, index, field)}
        onPaste={(event) => actions.handlePaste(event, step.key, field)}
      />
    </div>
  )
}

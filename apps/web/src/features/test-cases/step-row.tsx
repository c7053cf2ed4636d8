import GripVertical from 'lucide-react/icons/grip-vertical'
import { useEffect, useRef } from 'react'

import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { makeStepDraggable } from './drag-steps.ts'
import type { EditedStep, StepField } from './step-list.ts'
import styles from './steps-editor.module.css'
import { TextBlock } from './text-block.tsx'
import type { StepsEditing } from './use-steps.ts'

interface StepRowProps {
  step: EditedStep
  index: number
  count: number
  editing: StepsEditing
  mayEdit: boolean
}

/** One step: its number, which is its handle as well, the action and the expected result. */
export function StepRow({ step, index, count, editing, mayEdit }: StepRowProps) {
  const row = useRef<HTMLLIElement>(null)
  const { move } = editing
  const place = useRef({ index, move })
  useEffect(() => {
    place.current = { index, move }
  })
  useEffect(() => {
    if (!mayEdit || row.current === null) return undefined
    return makeStepDraggable(
      row.current,
      step.key,
      (key, edge, from) => {
        const { index: own, move: moveTo } = place.current
        const gap = edge === 'top' ? own : own + 1
        moveTo(key, from < gap ? gap - 1 : gap)
      },
      () => place.current.index,
    )
  }, [step.key, mayEdit])
  return (
    <li ref={row} className={styles.step}>
      {mayEdit ? (
        <Menu
          trigger={
            <IconButton
              className={styles.handle}
              label={`Step ${index + 1}: move or delete`}
              icon={<StepNumber value={index + 1} />}
            />
          }
        >
          <MenuItem shortcut="Alt+ArrowUp" isDisabled={index === 0} onSelect={() => move(step.key, index - 1)}>
            Move up
          </MenuItem>
          <MenuItem
            shortcut="Alt+ArrowDown"
            isDisabled={index === count - 1}
            onSelect={() => move(step.key, index + 1)}
          >
            Move down
          </MenuItem>
          <MenuItem shortcut="$mod+D" onSelect={() => editing.duplicate(step.key)}>
            Duplicate
          </MenuItem>
          <MenuSeparator />
          <MenuItem shortcut="$mod+Backspace" isDanger onSelect={() => editing.remove(step.key)}>
            Delete
          </MenuItem>
        </Menu>
      ) : (
        <span className={styles.number}>{index + 1}</span>
      )}
      <div className={styles.fields}>
        <StepText step={step} index={index} field="action" editing={editing} mayEdit={mayEdit} />
        <StepText step={step} index={index} field="expected" editing={editing} mayEdit={mayEdit} />
      </div>
    </li>
  )
}

const StepNumber = ({ value }: { value: number }) => (
  <>
    <span className={styles.number}>{value}</span>
    <GripVertical className={styles.grip} />
  </>
)

const labels = { action: 'action', expected: 'expected result' } as const
const placeholders = { action: 'Action', expected: 'Expected result' } as const

function StepText({ step, index, field, editing, mayEdit }: Omit<StepRowProps, 'count'> & { field: StepField }) {
  if (!mayEdit && step[field] === '') return null
  return (
    <div className={styles[field]}>
      <TextBlock
        label={`${labels[field]} of step ${index + 1}`}
        text={step[field]}
        placeholder={placeholders[field]}
        isEditing={editing.focus?.key === step.key && editing.focus.field === field && editing.pasted === null}
        onEdit={mayEdit ? () => editing.edit(step.key, field) : undefined}
        onType={(text) => editing.type(step.key, field, text)}
        onLeave={() => editing.leave(step.key, field)}
        onRestore={(before) => editing.restore(step.key, field, before)}
        onKeyDown={(event) => editing.handleKey(event, index, field)}
        onPaste={(event) => editing.handlePaste(event, step.key, field)}
      />
    </div>
  )
}

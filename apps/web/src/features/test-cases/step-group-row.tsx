import GripVertical from 'lucide-react/icons/grip-vertical'
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'

import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { makeStepDraggable } from './drag-steps.ts'
import type { StepMark } from './step-groups.ts'
import styles from './steps-editor.module.css'
import type { StepActions } from './use-steps.ts'

interface StepGroupRowProps {
  mark: StepMark
  /** The key of its first step. */
  stepKey: number
  index: number
  isLast: boolean
  isFolded: boolean
  actions: StepActions
  mayEdit: boolean
  /** What stands above the steps. */
  children: ReactNode
}

/** The line above the steps of a shared step, with the handle that moves all of them. */
export function StepGroupRow(props: StepGroupRowProps) {
  const { mark, stepKey, index, isLast, isFolded, actions, mayEdit, children } = props
  const { title, count } = mark.group
  const row = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLButtonElement>(null)
  const { moveTo, moveBy } = actions
  const place = useRef({ first: index, end: index + count })
  useEffect(() => {
    place.current = { first: index, end: index + count }
  })
  useEffect(() => {
    if (!mayEdit || row.current === null) return undefined
    return makeStepDraggable(
      row.current,
      stepKey,
      (key, edge) => moveTo(key, edge === 'top' ? place.current.first : place.current.end),
      () => place.current.first,
      // Below the line of an open one are its steps.
      isFolded ? {} : { edges: ['top'] },
    )
  }, [stepKey, mayEdit, isFolded, moveTo])
  const shouldFocus = useRef(false)
  useLayoutEffect(() => {
    // A browser takes the focus from what is moved.
    if (shouldFocus.current) handle.current?.focus()
    shouldFocus.current = false
  }, [index])
  function move(direction: 1 | -1): void {
    shouldFocus.current = true
    moveBy(stepKey, direction)
  }
  /** Before the menu button, which an arrow key opens. */
  function handleKey(event: KeyboardEvent): void {
    if (!mayEdit || !event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    event.stopPropagation()
    move(event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of the buttons in it
    <li ref={row} className={styles.step} onKeyDownCapture={handleKey}>
      {mayEdit && (
        <Menu
          opensOnRelease
          trigger={
            <IconButton ref={handle} className={styles.handle} label={`${title}: move`} icon={<GripVertical />} />
          }
        >
          <MenuItem shortcut="Alt+ArrowUp" isDisabled={index === 0} onSelect={() => move(-1)}>
            Move up
          </MenuItem>
          <MenuItem shortcut="Alt+ArrowDown" isDisabled={isLast} onSelect={() => move(1)}>
            Move down
          </MenuItem>
        </Menu>
      )}
      {children}
    </li>
  )
}

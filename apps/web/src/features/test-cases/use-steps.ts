import { type ClipboardEvent, type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'

import { getBlock, isGap, markSteps, type StepMarks, type StoredSteps } from './step-groups.ts'
import { type PastedStep, splitPastedSteps } from '@caseward/case-files/split-pasted-steps'
import {
  changeStep,
  createStep,
  type EditedStep,
  insertSteps,
  isEmptyStep,
  isSameSteps,
  moveSteps,
  removeStep,
  type StepField,
  toStoredSteps,
} from './step-list.ts'

/** The most steps of a test case. */
export const MAX_STEPS = 500

type StepTexts = readonly { action: string; expected?: string }[]

interface StepsInput {
  readonly value: StepTexts
  /** The steps as the server has them, if some come from shared steps: these are edited in one piece. */
  readonly stored?: StoredSteps | undefined
  readonly onChange: (steps: { action: string; expected: string }[]) => void
  /** A field was left, or the list was changed at once. */
  readonly onLeave: () => void
}

/** The steps of a test case while they are edited: the list, the field that has the focus, and what their keys do. */
export function useSteps({ value, stored, onChange, onLeave }: StepsInput) {
  const [steps, setSteps] = useState<readonly EditedStep[]>(() => toEdited(value))
  const [focus, setFocus] = useState<{ key: number; field: StepField } | null>(null)
  const [pasted, setPasted] = useState<{
    key: number
    field: StepField
    steps: readonly PastedStep[]
    /** How many lines do not fit. */
    leftCount: number
    text: string
  } | null>(null)
  /** Where a step was removed whose button or field had the focus. */
  const [gap, setGap] = useState<{ index: number } | null>(null)
  const [known, setKnown] = useState(value)
  // Another version arrived, or the saved steps came back. Steps that are empty are not saved and stay.
  if (value !== known) {
    setKnown(value)
    if (!isSameSteps(toStored(steps), value)) setSteps(toEdited(value))
  }

  const marks = useMemo(() => markSteps(steps, stored ?? NONE), [steps, stored])

  function update(next: readonly EditedStep[]): void {
    setSteps(next)
    onChange(toStoredSteps(next))
  }
  /** Unlike typing, this is saved at once. */
  function updateNow(next: readonly EditedStep[]): void {
    update(next)
    onLeave()
  }
  function add(afterIndex: number): void {
    if (steps.length >= MAX_STEPS) return
    const step = createStep()
    setSteps(insertSteps(steps, findGap(steps, marks, afterIndex), [step]))
    setFocus({ key: step.key, field: 'action' })
  }
  function remove(key: number): void {
    const index = steps.findIndex((step) => step.key === key)
    const next = removeStep(steps, key)
    const neighbour = next[Math.min(index, next.length - 1)]
    if (focus !== null && neighbour !== undefined) setFocus({ key: neighbour.key, field: focus.field })
    else {
      setFocus(null)
      setGap({ index })
    }
    updateNow(next)
  }
  function duplicate(key: number): void {
    const index = steps.findIndex((step) => step.key === key)
    const step = steps[index]
    if (step === undefined || steps.length >= MAX_STEPS) return
    const copy = createStep(step)
    if (focus !== null) setFocus({ key: copy.key, field: focus.field })
    updateNow(insertSteps(steps, index, [copy]))
  }
  /** Moves a step, or all steps of a shared step, before the one at an index, and past a shared step that this is in. */
  function moveTo(key: number, before: number): void {
    const block = getBlock(steps, marks, key)
    const direction = before < block.first ? -1 : 1
    let target = before
    while (target > 0 && target < steps.length && !isGap(steps, marks, target)) target += direction
    const next = moveSteps(steps, block, target)
    if (next !== steps) updateNow(next)
  }
  function moveBy(key: number, direction: 1 | -1): void {
    const { first, count } = getBlock(steps, marks, key)
    moveTo(key, direction === -1 ? first - 1 : first + count + 1)
  }

  function handleKey(event: KeyboardEvent, index: number, field: StepField): void {
    const step = steps[index]
    if (step === undefined) return
    const isCommand = event.ctrlKey || event.metaKey
    const act = (action: () => void) => {
      event.preventDefault()
      event.stopPropagation()
      action()
    }
    if (event.altKey && event.key === 'ArrowUp') act(() => moveBy(step.key, -1))
    else if (event.altKey && event.key === 'ArrowDown') act(() => moveBy(step.key, 1))
    else if (isCommand && event.key.toLowerCase() === 'd') act(() => duplicate(step.key))
    else if (isCommand && event.key === 'Backspace') act(() => remove(step.key))
    else if (event.key === 'Enter' && field === 'expected' && !event.shiftKey && !isCommand) act(() => add(index))
    else if (event.key === 'Tab') {
      const target = getNextField(steps, marks, index, field, event.shiftKey)
      if (target !== null) act(() => setFocus(target))
    }
  }
  function handlePaste(event: ClipboardEvent, key: number, field: StepField): void {
    const text = event.clipboardData.getData('text/plain')
    const found = splitPastedSteps(text)
    if (found.length < 2) return
    event.preventDefault()
    const room = MAX_STEPS - steps.filter((step) => step.key !== key || !isEmptyStep(step)).length
    setPasted({ key, field, steps: found.slice(0, room), leftCount: Math.max(found.length - room, 0), text })
  }
  function acceptPasted(): void {
    if (pasted === null) return
    const index = steps.findIndex(({ key }) => key === pasted.key)
    const step = steps[index]
    const added = pasted.steps.map(createStep)
    const inserted = insertSteps(steps, index, added)
    updateNow(step !== undefined && isEmptyStep(step) ? removeStep(inserted, pasted.key) : inserted)
    setPasted(null)
    const last = added.at(-1)
    if (last !== undefined) setFocus({ key: last.key, field: 'expected' })
  }
  /** The lines become the text of one field. */
  function pasteAsText(): void {
    if (pasted === null) return
    const step = steps.find(({ key }) => key === pasted.key)
    if (step !== undefined) update(changeStep(steps, step.key, { [pasted.field]: step[pasted.field] + pasted.text }))
    setFocus({ key: pasted.key, field: pasted.field })
    setPasted(null)
  }

  const actions = useStableActions({
    edit: (key: number, field: StepField) => setFocus({ key, field }),
    type: (key: number, field: StepField, text: string) => update(changeStep(steps, key, { [field]: text })),
    leave(key: number, field: StepField): void {
      setFocus((current) => (current?.key === key && current.field === field ? null : current))
      onLeave()
    },
    /** `Esc`: what was typed stays, and a step that is empty is removed. */
    escape(key: number): void {
      const index = steps.findIndex((step) => step.key === key)
      const step = steps[index]
      setFocus(null)
      if (step === undefined || !isEmptyStep(step)) return onLeave()
      setGap({ index: index - 1 })
      updateNow(removeStep(steps, key))
    },
    moveTo,
    moveBy,
    duplicate,
    remove,
    handleKey,
    handlePaste,
  })
  return {
    steps,
    marks,
    focus,
    pasted,
    gap,
    actions,
    add,
    acceptPasted,
    pasteAsText,
    cancelPaste(): void {
      if (pasted !== null) setFocus({ key: pasted.key, field: pasted.field })
      setPasted(null)
    },
  }
}

/** What a step does. The functions are the same in every render, so that typing renders one of 500 steps. */
export type StepActions = ReturnType<typeof useSteps>['actions']

function useStableActions<A extends Record<string, (...args: never[]) => void>>(actions: A): A {
  const latest = useRef(actions)
  useLayoutEffect(() => {
    latest.current = actions
  })
  const [stable] = useState(() => {
    const names = Object.keys(actions) as (keyof A & string)[]
    return Object.fromEntries(names.map((name) => [name, (...args: never[]) => latest.current[name]?.(...args)])) as A
  })
  return stable
}

const toEdited = (texts: StepTexts) => texts.map(({ action, expected = '' }) => createStep({ action, expected }))

const toStored = (steps: readonly EditedStep[]) => steps.filter((step) => !isEmptyStep(step))

const NONE: StoredSteps = { steps: [] }

/** The index of a step that others may stand behind: not of one within a shared step. */
function findGap(steps: readonly EditedStep[], marks: StepMarks, afterIndex: number): number {
  let index = afterIndex
  while (index + 1 < steps.length && !isGap(steps, marks, index + 1)) index += 1
  return index
}

/** The field before or after another one; steps of shared steps have none. */
function getNextField(
  steps: readonly EditedStep[],
  marks: StepMarks,
  index: number,
  field: StepField,
  isBack: boolean,
) {
  const change = isBack ? -1 : 1
  let place = index * 2 + (field === 'expected' ? 1 : 0) + change
  while (marks.has(steps[Math.floor(place / 2)]?.key ?? 0)) place += change
  const step = steps[Math.floor(place / 2)]
  if (step === undefined) return null
  return { key: step.key, field: place % 2 === 0 ? ('action' as const) : ('expected' as const) }
}

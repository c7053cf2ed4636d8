import type { StepChange, StepStatus } from '@caseward/client/endpoints'
import type { RefObject } from 'react'

import { useKeys } from '../../use-keys.ts'

/** What an arrow key scrolls where there are no steps, in pixels. */
const SCROLL = 60

const isFolded = (step: HTMLElement) => step.closest('details:not([open])') !== null

/** Opens the shared step that a step is in: nothing is set that is not in sight. */
function unfold(step: HTMLElement | undefined): void {
  const group = step?.closest('details')
  if (group !== null && group !== undefined) group.open = true
}

/**
 * Registers the keys that walk through the steps of a part of the page and set them.
 * @param onChange changes a step; null where steps cannot be set
 */
export function useStepKeys(
  pane: RefObject<HTMLElement | null>,
  onChange: ((change: StepChange) => void) | null,
): void {
  const list = () => [...(pane.current?.querySelectorAll<HTMLElement>('[data-step]') ?? [])]
  // Not the first step of a shared step whose title has the focus.
  const findFocused = () =>
    document.activeElement?.closest('li')?.querySelector<HTMLElement>(':scope > [data-step]') ?? undefined
  function move(direction: 1 | -1): void {
    const steps = list().filter((step) => !isFolded(step))
    const focused = findFocused()
    const index = steps.findIndex((step) => step === focused)
    const next = index === -1 ? steps[direction === 1 ? 0 : steps.length - 1] : steps[index + direction]
    if (steps.length === 0) pane.current?.scrollBy({ top: direction * SCROLL })
    next?.focus()
  }
  useKeys({
    nextStep: () => move(1),
    previousStep: () => move(-1),
    goToStep({ code }) {
      const step = list()[Number(code.at(-1)) - 1]
      unfold(step)
      step?.focus()
    },
  })
  const set = (status: StepStatus | null) => () => {
    const step = findFocused()?.dataset['step']
    if (step !== undefined) onChange?.({ position: Number(step), status })
  }
  useKeys(
    onChange === null
      ? {}
      : {
          // A step that has the focus handles the key itself.
          passStep() {
            const step = list().find(({ dataset }) => dataset['status'] === undefined)
            unfold(step)
            step?.scrollIntoView({ block: 'nearest' })
            step?.click()
          },
          stepPassed: set('passed'),
          stepFailed: set('failed'),
          stepBlocked: set('blocked'),
          stepRetest: set('retest'),
          clearStep: set(null),
        },
  )
}

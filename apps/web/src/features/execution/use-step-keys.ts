import type { StepChange, StepStatus } from '@caseward/client/endpoints'
import type { RefObject } from 'react'

import { useKeys } from '../../use-keys.ts'

/** What an arrow key scrolls where there are no steps, in pixels. */
const SCROLL = 60

/**
 * Registers the keys that walk through the steps of a part of the page and set them.
 * @param onChange changes a step; null where steps cannot be set
 */
export function useStepKeys(
  pane: RefObject<HTMLElement | null>,
  onChange: ((change: StepChange) => void) | null,
): void {
  const list = () => [...(pane.current?.querySelectorAll<HTMLElement>('[data-step]') ?? [])]
  const findFocused = () =>
    document.activeElement?.closest('li')?.querySelector<HTMLElement>('[data-step]') ?? undefined
  function move(direction: 1 | -1): void {
    const steps = list()
    const focused = findFocused()
    const index = steps.findIndex((step) => step === focused)
    const next = index === -1 ? steps[direction === 1 ? 0 : steps.length - 1] : steps[index + direction]
    if (steps.length === 0) pane.current?.scrollBy({ top: direction * SCROLL })
    next?.focus()
  }
  useKeys({
    nextStep: () => move(1),
    previousStep: () => move(-1),
    goToStep: ({ code }) => list()[Number(code.at(-1)) - 1]?.focus(),
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

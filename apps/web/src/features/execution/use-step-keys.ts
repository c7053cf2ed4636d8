import type { RefObject } from 'react'

import { useKeys } from '../../use-keys.ts'

/** What an arrow key scrolls where there are no steps, in pixels. */
const SCROLL = 60

/** Registers the keys that walk through the steps of a part of the page and tick them. */
export function useStepKeys(pane: RefObject<HTMLElement | null>): void {
  const list = () => [...(pane.current?.querySelectorAll<HTMLInputElement>('[data-step]') ?? [])]
  function move(direction: 1 | -1): void {
    const boxes = list()
    const index = boxes.findIndex((box) => box === document.activeElement)
    const next = index === -1 ? boxes[direction === 1 ? 0 : boxes.length - 1] : boxes[index + direction]
    if (boxes.length === 0) pane.current?.scrollBy({ top: direction * SCROLL })
    next?.focus()
  }
  useKeys({
    nextStep: () => move(1),
    previousStep: () => move(-1),
    // A box that has the focus handles the key itself.
    tickStep: () =>
      list()
        .find((box) => !box.checked)
        ?.click(),
  })
}

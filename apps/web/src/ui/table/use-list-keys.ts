import type { RefObject } from 'react'

import type { KeyHandlers } from '../../key-dispatcher.ts'
import { useKeys } from '../../use-keys.ts'

interface ListKeys {
  readonly canOpen: boolean
  /** Missing if rows cannot be selected. */
  readonly selectAll: (() => void) | undefined
}

/** Lets the keys of lists act wherever the focus is on the page: they lead to the current row, which handles them. */
export function useListKeys(grid: RefObject<HTMLElement | null>, { canOpen, selectAll }: ListKeys): void {
  function passToRow(event: KeyboardEvent): void {
    const row = grid.current?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')
    if (row === null || row === undefined || row.contains(document.activeElement)) return
    row.focus()
    const { key, shiftKey, ctrlKey, metaKey } = event
    row.dispatchEvent(
      new KeyboardEvent('keydown', { key, shiftKey, ctrlKey, metaKey, bubbles: true, cancelable: true }),
    )
  }
  const moving: KeyHandlers = { next: passToRow, previous: passToRow, first: passToRow, last: passToRow }
  const opening: KeyHandlers = canOpen ? { open: passToRow, openInTab: passToRow } : {}
  const selecting: KeyHandlers =
    selectAll === undefined ? {} : { select: passToRow, extendDown: passToRow, extendUp: passToRow, selectAll }
  useKeys({ ...moving, ...opening, ...selecting })
}

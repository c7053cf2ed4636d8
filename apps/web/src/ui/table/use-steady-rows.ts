import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef } from 'react'

import type { TableSize } from './use-table-size.ts'

type Rows = Virtualizer<HTMLDivElement, Element>

interface SteadyRowsOptions {
  readonly virtualizer: Rows
  readonly scroller: RefObject<HTMLElement | null>
  /** What is as high as all rows. */
  readonly body: RefObject<HTMLElement | null>
  readonly size: TableSize
  readonly count: number
  /** The index of the current row. */
  readonly active: number
}

/** Keeps rows where they are in the window when a panel opens, or a line above the table, which changes their heights. */
export function useSteadyRows({ virtualizer, scroller, body, size, count, active }: SteadyRowsOptions): void {
  const knownSize = useRef(size)
  useLayoutEffect(() => {
    const { rowHeight, headHeight, top, height } = knownSize.current
    knownSize.current = size
    virtualizer.measure()
    const element = scroller.current
    if (element === null || element.scrollTop === 0 || body.current === null) return
    const first = Math.floor(element.scrollTop / rowHeight)
    const isActiveInSight = active >= first && active <= first + height / rowHeight
    // Before React sets it, so that the browser can scroll so far.
    body.current.style.height = `${count * size.rowHeight}px`
    const change = (isActiveInSight ? active : first) * (size.rowHeight - rowHeight)
    element.scrollTop += change + size.headHeight - headHeight + size.top - top
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when the heights change
  }, [virtualizer, size])
}

interface OpenRowOptions {
  readonly virtualizer: Rows
  readonly openId: string | null
  /** -1 if it is not there. */
  readonly openIndex: number
  readonly size: TableSize
}

/**
 * Brings the row that is opened from elsewhere into sight, and keeps it there while others arrive before it, until the user
 * does something. A row that was clicked is in sight already.
 */
export function useOpenRow({ virtualizer, openId, openIndex, size }: OpenRowOptions) {
  const clickedId = useRef<string | null>(null)
  const pinnedId = useRef<string | null>(null)
  const isThere = openIndex !== -1
  useLayoutEffect(() => {
    if (!isThere) return
    pinnedId.current = clickedId.current === openId ? null : openId
    clickedId.current = null
  }, [openId, isThere])
  useLayoutEffect(() => {
    if (isThere && pinnedId.current === openId) virtualizer.scrollToIndex(openIndex)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what else changes must not scroll the table
  }, [openId, openIndex, size.rowHeight, size.height])
  return {
    noteClick(id: string): void {
      clickedId.current = id
    },
    unpin(): void {
      pinnedId.current = null
    },
  }
}

import { type RefObject, useLayoutEffect, useState } from 'react'

import { usePreference } from '../../use-preferences.ts'

/** Below this width rows have two lines. */
const NARROW_WIDTH = 520
/** The height of the second line. */
const SECOND_LINE = 22
const HEAD_HEIGHT = 32

export interface TableSize {
  isNarrow: boolean
  /** All in pixels. */
  height: number
  rowHeight: number
  headHeight: number
  /** Of the scroll area in the window. */
  top: number
}

/** Measures the scroll area of a table, because the rows that are not in the page need a known height. */
export function useTableSize(scroller: RefObject<HTMLElement | null>): TableSize {
  const density = usePreference('density')
  const [size, setSize] = useState<TableSize>({
    isNarrow: false,
    height: 0,
    rowHeight: 34,
    headHeight: HEAD_HEIGHT,
    top: 0,
  })
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const measure = () => {
      const line = Number.parseFloat(getComputedStyle(element).getPropertyValue('--row'))
      const isNarrow = element.clientWidth < NARROW_WIDTH
      const next: TableSize = {
        isNarrow,
        height: element.clientHeight,
        rowHeight: isNarrow ? line + SECOND_LINE : line,
        headHeight: isNarrow ? 0 : HEAD_HEIGHT,
        top: element.getBoundingClientRect().top,
      }
      setSize((known) => (isEqual(known, next) ? known : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, density])
  return size
}

const isEqual = (a: TableSize, b: TableSize): boolean =>
  a.height === b.height && a.rowHeight === b.rowHeight && a.headHeight === b.headHeight && a.top === b.top

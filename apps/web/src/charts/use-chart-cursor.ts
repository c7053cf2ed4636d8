import { type KeyboardEvent, useState } from 'react'

/** A place of a chart whose figures are shown. */
export interface ChartCursor {
  readonly row: number
  readonly column: number
}

interface ChartCursorOptions {
  readonly rows: number
  readonly columns: number
  /** Where the keyboard begins. */
  readonly first: ChartCursor
  /** Enter. */
  readonly onOpen?: (cursor: ChartCursor) => void
}

/** Lets the pointer and the arrow keys choose the place whose figures a chart shows. Null for none. */
export function useChartCursor({ rows, columns, first, onOpen }: ChartCursorOptions) {
  const [cursor, setCursor] = useState<ChartCursor | null>(null)
  const move = (event: KeyboardEvent): void => {
    const { row, column } = cursor ?? first
    const targets: Readonly<Record<string, ChartCursor>> = {
      ArrowUp: { row: row - 1, column },
      ArrowDown: { row: row + 1, column },
      ArrowLeft: { row, column: column - 1 },
      ArrowRight: { row, column: column + 1 },
      Home: { row, column: 0 },
      End: { row, column: columns - 1 },
    }
    const target = targets[event.key]
    const isOpening = event.key === 'Enter' && cursor !== null && onOpen !== undefined
    if (target === undefined && !isOpening) return
    // The page scrolls with these keys, and has others of its own.
    event.preventDefault()
    event.stopPropagation()
    if (target === undefined) onOpen?.({ row, column })
    else setCursor({ row: clamp(target.row, rows - 1), column: clamp(target.column, columns - 1) })
  }
  return {
    /** Of a chart that got smaller. */
    cursor: cursor !== null && cursor.row < rows && cursor.column < columns ? cursor : null,
    setCursor,
    keyboard: {
      tabIndex: 0,
      onKeyDown: move,
      onFocus: () => setCursor((current) => current ?? first),
      onBlur: () => setCursor(null),
    },
  }
}

const clamp = (value: number, last: number) => Math.max(0, Math.min(value, last))

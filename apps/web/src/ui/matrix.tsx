import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'

export interface MatrixProps<Row, Column> {
  label: string
  rows: readonly Row[]
  columns: readonly Column[]
  getRowId: (row: Row) => string
  getColumnId: (column: Column) => string
  /** What the first column contains, and its head. */
  renderRowHead: (row: Row) => ReactNode
  rowHead: string
  renderColumnHead: (column: Column) => ReactNode
  /** What a cell contains; null for a cell that cannot be opened. */
  renderCell: (row: Row, column: Column) => ReactNode
  /** The id of the row that is open. */
  openId: string | null
  /** A click, Enter or Space; without a column for the first one. */
  onOpen: (row: Row, column: Column | null) => void
}

const ROW_HEIGHT = 34
const HEAD_HEIGHT = 56
const HEAD_WIDTH = 280
const COLUMN_WIDTH = 112
const OVERSCAN = 4

/**
 * A grid of any number of rows and columns, of which only those in sight are in the page. The first column and the heads stay.
 * One cell has the focus, and the arrow keys move it.
 */
export function Matrix<Row, Column>(props: MatrixProps<Row, Column>) {
  const { label, rows, columns, onOpen, openId } = props
  const scroller = useRef<HTMLDivElement>(null)
  /** The cell with the focus; the first column is 0. */
  const [active, setActive] = useState({ row: 0, column: 0 })
  const mustFocus = useRef(false)
  const current = {
    row: Math.min(active.row, Math.max(rows.length - 1, 0)),
    column: Math.min(active.column, columns.length),
  }
  const vertical = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN * 2,
    scrollPaddingEnd: HEAD_HEIGHT,
  })
  const horizontal = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => COLUMN_WIDTH,
    overscan: OVERSCAN,
    scrollPaddingEnd: HEAD_WIDTH,
  })
  const shownRows = withIndex(vertical.getVirtualItems(), current.row, rows.length)
  const shownColumns = withIndex(horizontal.getVirtualItems(), current.column - 1, columns.length)
  useEffect(() => {
    if (!mustFocus.current) return
    const cell = scroller.current?.querySelector<HTMLElement>('[tabindex="0"]')
    if (cell === null || cell === undefined) return
    mustFocus.current = false
    cell.focus({ preventScroll: true })
  })

  function move(event: KeyboardEvent): void {
    const { row, column } = current
    const page = Math.max(Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 3, 1)
    const last = { row: rows.length - 1, column: columns.length }
    const isWhole = event.ctrlKey || event.metaKey
    const targets: Readonly<Record<string, { row: number; column: number }>> = {
      ArrowDown: { row: row + 1, column },
      ArrowUp: { row: row - 1, column },
      ArrowRight: { row, column: column + 1 },
      ArrowLeft: { row, column: column - 1 },
      PageDown: { row: row + page, column },
      PageUp: { row: row - page, column },
      Home: { row: isWhole ? 0 : row, column: 0 },
      End: { row: isWhole ? last.row : row, column: last.column },
    }
    const target = targets[event.key]
    const open = rows[row]
    if (target === undefined && event.key !== 'Enter' && event.key !== ' ') return
    // The page has keys of its own.
    event.preventDefault()
    event.stopPropagation()
    if (target === undefined) {
      if (open !== undefined) onOpen(open, columns[column - 1] ?? null)
      return
    }
    const next = { row: clamp(target.row, last.row), column: clamp(target.column, last.column) }
    mustFocus.current = true
    setActive(next)
    vertical.scrollToIndex(next.row)
    if (next.column > 0) horizontal.scrollToIndex(next.column - 1)
    else scroller.current?.scrollTo({ left: 0 })
  }

  function click({ target }: MouseEvent): void {
    const cell = (target as HTMLElement).closest<HTMLElement>('[data-row]')
    if (cell === null) return
    const next = { row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) }
    setActive(next)
    const row = rows[next.row]
    if (row !== undefined) onOpen(row, columns[next.column - 1] ?? null)
  }

  const width = `max(100%, ${HEAD_WIDTH + horizontal.getTotalSize()}px)`
  const cell = (row: number, column: number) => ({
    'data-row': row,
    'data-column': column,
    'aria-colindex': column + 1,
    tabIndex: row === current.row && column === current.column ? 0 : -1,
    onFocus: () => {
      if (row !== current.row || column !== current.column) setActive({ row, column })
    },
  })
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus, jsx-a11y/click-events-have-key-events -- its cells have the focus
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      onKeyDown={move}
      onClick={click}
      style={scrollerStyle}
    >
      <div role="row" aria-rowindex={1} style={{ ...headStyle, width }}>
        <div role="columnheader" aria-colindex={1} style={{ ...firstStyle, height: HEAD_HEIGHT }}>
          {props.rowHead}
        </div>
        {shownColumns.map((index) => {
          const column = columns[index]
          return column === undefined ? null : (
            <div
              key={props.getColumnId(column)}
              role="columnheader"
              aria-colindex={index + 2}
              style={{ ...cellStyle, height: HEAD_HEIGHT, left: toLeft(index) }}
            >
              {props.renderColumnHead(column)}
            </div>
          )
        })}
      </div>
      <div role="rowgroup" style={{ position: 'relative', height: vertical.getTotalSize(), width }}>
        {shownRows.map((index) => {
          const row = rows[index]
          if (row === undefined) return null
          const id = props.getRowId(row)
          const background = id === openId ? 'var(--selected)' : 'var(--card)'
          return (
            <div
              key={id}
              role="row"
              aria-rowindex={index + 2}
              aria-current={id === openId || undefined}
              style={{ ...rowStyle, width, background, transform: `translateY(${index * ROW_HEIGHT}px)` }}
            >
              <div role="rowheader" {...cell(index, 0)} style={{ ...firstStyle, background }}>
                {props.renderRowHead(row)}
              </div>
              {shownColumns.map((place) => {
                const column = columns[place]
                return column === undefined ? null : (
                  <div
                    key={props.getColumnId(column)}
                    role="gridcell"
                    {...cell(index, place + 1)}
                    style={{ ...cellStyle, left: toLeft(place) }}
                  >
                    {props.renderCell(row, column)}
                  </div>
                )
              })}
            </div>
          )
        })}
      </div>
    </div>
  )
}

const clamp = (value: number, last: number) => Math.max(0, Math.min(value, last))
const toLeft = (index: number) => HEAD_WIDTH + index * COLUMN_WIDTH

/** The indexes in sight, and that of the focus, which would be lost without its cell. */
function withIndex(items: readonly { readonly index: number }[], active: number, count: number): number[] {
  const indexes = items.map(({ index }) => index)
  return active < 0 || active >= count || indexes.includes(active)
    ? indexes
    : [...indexes, active].toSorted((a, b) => a - b)
}

const scrollerStyle: CSSProperties = {
  flex: 1,
  minHeight: 0,
  overflow: 'auto',
  overscrollBehavior: 'contain',
  background: 'var(--card)',
  font: 'var(--text-13)',
  // What gets the focus must not be below what stays.
  scrollPadding: `${HEAD_HEIGHT}px 0 0 ${HEAD_WIDTH}px`,
}
const headStyle: CSSProperties = {
  position: 'sticky',
  top: 0,
  zIndex: 2,
  height: HEAD_HEIGHT,
  borderBlockEnd: '1px solid var(--line)',
  background: 'var(--card)',
  color: 'var(--muted)',
  font: 'var(--text-12)',
}
const rowStyle: CSSProperties = {
  position: 'absolute',
  top: 0,
  left: 0,
  height: ROW_HEIGHT,
  borderBlockEnd: '1px solid var(--line)',
}
const firstStyle: CSSProperties = {
  position: 'sticky',
  left: 0,
  zIndex: 1,
  display: 'flex',
  gap: 8,
  alignItems: 'center',
  width: HEAD_WIDTH,
  height: '100%',
  paddingInline: 12,
  borderInlineEnd: '1px solid var(--line)',
  background: 'var(--card)',
  outlineOffset: -2,
}
const cellStyle: CSSProperties = {
  position: 'absolute',
  top: 0,
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'center',
  width: COLUMN_WIDTH,
  height: '100%',
  paddingInline: 8,
  outlineOffset: -2,
}

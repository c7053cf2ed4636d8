import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'

import { usePreference } from '../../use-preferences.ts'
import styles from './list-box.module.css'
import { ListOption } from './list-option.tsx'

export interface ListBoxProps<Row> {
  label: string
  rows: readonly Row[]
  /** The number of rows on the server, if there are more than have arrived. */
  total?: number
  getId: (row: Row) => string
  /** The row that is open. It stays in the middle. */
  currentId: string | null
  /** Rows that are selected for one action. */
  selection: ReadonlySet<string>
  /** Plain HTML only: rows are drawn while scrolling. All rows are drawn again when this is another function. */
  renderRow: (row: Row) => ReactNode
  /** A click, or a key while the list has the focus. */
  onOpen: (row: Row) => void
  /** A click with Ctrl, ⌘ or Shift. */
  onSelect: (row: Row, isRange: boolean) => void
  /** Takes the place of the rows when there are none. */
  empty: ReactNode
}

const OVERSCAN = 10

/** A list of any number of rows of which one is open. The list has the focus, not its rows. */
export function ListBox<Row>(props: ListBoxProps<Row>) {
  const { label, rows, getId, currentId, selection, onOpen } = props
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const rowHeight = useRowHeight(scroller)
  const isEmpty = rows.length === 0
  const current = currentId === null ? -1 : rows.findIndex((row) => getId(row) === currentId)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  useLayoutEffect(() => {
    if (current >= 0) virtualizer.scrollToIndex(current, { align: 'center' })
  }, [virtualizer, current, rowHeight, isEmpty])

  function handleKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const target = getTarget(event.key, current, rows.length)
    const row = target === null ? undefined : rows[target]
    if (row === undefined) return
    event.preventDefault()
    onOpen(row)
  }
  function handleClick(event: MouseEvent): void {
    const row = rows[Number((event.target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset['index'])]
    if (row === undefined) return
    if (event.ctrlKey || event.metaKey || event.shiftKey) props.onSelect(row, event.shiftKey)
    else onOpen(row)
  }

  if (isEmpty) return <div className={styles.scroller}>{props.empty}</div>
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="listbox"
      aria-label={label}
      aria-multiselectable
      aria-activedescendant={current < 0 ? undefined : `${id}-${current}`}
      tabIndex={0}
      onKeyDown={handleKey}
      onClick={handleClick}
    >
      <div className={styles.list} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          const rowId = getId(row)
          return (
            <ListOption
              key={rowId}
              row={row}
              id={`${id}-${index}`}
              index={index}
              total={props.total ?? rows.length}
              offset={start}
              height={rowHeight}
              isCurrent={index === current}
              isSelected={selection.has(rowId)}
              renderRow={props.renderRow}
            />
          )
        })}
      </div>
    </div>
  )
}

function getTarget(key: string, current: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(current + 1, count - 1)
    case 'ArrowUp':
      return Math.max(current - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

/** Returns the height of a row in pixels, which depends on the density and on the pointer. */
function useRowHeight(scroller: React.RefObject<HTMLElement | null>): number {
  const density = usePreference('density')
  const [height, setHeight] = useState(34)
  useLayoutEffect(() => {
    const measure = () => {
      if (scroller.current === null) return
      setHeight(Number.parseFloat(getComputedStyle(scroller.current).getPropertyValue('--row')))
    }
    measure()
  }, [scroller, density])
  return height
}

import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'

import { usePreference } from '../../use-preferences.ts'
import type { Column, Sort } from './columns.ts'
import { findSuccessor } from './find-successor.ts'
import { type Selection, setRange, toggle } from './selection.ts'
import { TableHead } from './table-head.tsx'
import { getTableAction } from './table-keys.ts'
import { TableRow } from './table-row.tsx'
import styles from './table.module.css'
import { useListKeys } from './use-list-keys.ts'
import { useOpenRow, useSteadyRows } from './use-steady-rows.ts'
import { useTableSize } from './use-table-size.ts'

export interface TableProps<Row> {
  /** Names the table. Columns that the user has hidden are remembered under it. */
  name: string
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** The number of rows on the server, if there are more than have arrived. */
  total?: number
  /** Whether the server has more rows, whose number is not known. */
  hasMore?: boolean
  getId: (row: Row) => string
  /** What the checkbox of a row is read with. */
  getLabel: (row: Row) => string
  /** The row that is open in the panel beside the table. */
  openId?: string | null
  /** A click on a row, `Enter` or `O`; in a new tab with Ctrl or Cmd. */
  onOpen?: (row: Row, inNewTab: boolean) => void
  selection?: Selection
  onSelect?: (selection: Selection) => void
  sort?: Sort | null
  onSort?: (sort: Sort | null) => void
  /** Takes the place of the rows when there are none. */
  empty: ReactNode
  /** Called when the last rows that have arrived come into sight. */
  onReachEnd?: () => void
  /** Called with the rows in sight, and some before and after, when they change. */
  onVisible?: (rows: readonly Row[]) => void
  /** Called when the current row changes: the one that the keys of the page act on. */
  onActivate?: (row: Row) => void
  /** Returns the row that was the current one before the table left the page. It comes into sight. */
  getInitialId?: () => string | null
  /** Draws a row over the width of all columns, such as the head of a group; null for a row with cells. */
  renderWide?: (row: Row) => ReactNode
  /** Called with the element of each row that comes into sight, for example to make it draggable; returns the cleanup. */
  onRowMount?: (row: Row, element: HTMLElement) => (() => void) | undefined
}

const OVERSCAN = 8

/** A grid of any number of rows, of which only those in sight are in the page. One row can have the focus. */
export function Table<Row>(props: TableProps<Row>) {
  const { name, label, rows, getId, selection, onSelect, onOpen, openId = null, onActivate } = props
  const scroller = useRef<HTMLDivElement>(null)
  const grid = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const [initialId] = useState(() => props.getInitialId?.() ?? null)
  const [activeId, setActiveId] = useState<string | null>(initialId)
  const mustFocus = useRef(false)
  /** The browser does not say when it loses the focus with a row that is removed. */
  const hasFocus = useRef(false)
  const anchor = useRef<number | null>(null)
  const size = useTableSize(scroller)
  const hiddenColumns = usePreference('hiddenColumns')[name]
  const areLettersOn = usePreference('singleLetterKeys')
  const columns = useMemo(
    () => props.columns.filter(({ id }) => hiddenColumns?.includes(id) !== true),
    [props.columns, hiddenColumns],
  )
  const ids = useMemo(() => rows.map(getId), [rows, getId])

  const [knownIds, setKnownIds] = useState(ids)
  if (ids !== knownIds) {
    setKnownIds(ids)
    const successor = activeId === null || ids.includes(activeId) ? null : findSuccessor(knownIds, ids, activeId)
    if (successor !== null) setActiveId(successor)
  }

  const currentId = activeId ?? openId
  const active = currentId === null ? 0 : Math.max(ids.indexOf(currentId), 0)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => size.rowHeight,
    overscan: OVERSCAN,
    // The head covers the first rows, so that as much is missing at the end.
    scrollPaddingEnd: size.headHeight,
    // The current row stays in the page, so that the focus is not lost when it scrolls out of sight.
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const first = Math.max(startIndex - overscan, 0)
      const last = Math.min(endIndex + overscan, count - 1)
      const indexes = Array.from({ length: last - first + 1 }, (_, index) => first + index)
      if (active >= count || (active >= first && active <= last)) return indexes
      return active < first ? [active, ...indexes] : [...indexes, active]
    },
  })
  const items = virtualizer.getVirtualItems()
  const [firstIndex, lastIndex] = getRange(
    items.map(({ index }) => index),
    active,
  )
  const { onReachEnd, onVisible } = props
  useSteadyRows({ virtualizer, scroller, body, size, count: rows.length, active })
  useLayoutEffect(() => {
    if (rows.length > 0 && lastIndex >= rows.length - OVERSCAN) onReachEnd?.()
  }, [lastIndex, rows.length, onReachEnd])
  useEffect(() => {
    onVisible?.(rows.slice(firstIndex, lastIndex + 1))
  }, [rows, firstIndex, lastIndex, onVisible])
  useLayoutEffect(() => {
    if (!mustFocus.current) return
    const element = grid.current?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')
    if (element === null || element === undefined) return
    mustFocus.current = false
    element.focus({ preventScroll: true })
  })

  useLayoutEffect(() => {
    const index = initialId === null ? -1 : ids.indexOf(initialId)
    if (index !== -1) virtualizer.scrollToIndex(index, { align: 'center' })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  }, [])
  // Whoever made it the current one: the keys of the page act on it. The focus that went with a removed row comes to it.
  useEffect(() => {
    const row = activeId === null ? undefined : rows[ids.indexOf(activeId)]
    if (row !== undefined) onActivate?.(row)
    if (!hasFocus.current || document.activeElement !== document.body) return
    grid.current?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus({ preventScroll: true })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when another row has become the current one
  }, [activeId])

  // A row that is opened from elsewhere becomes the current one, as soon as it is there.
  const openIndex = openId === null ? -1 : ids.indexOf(openId)
  const isOpenThere = openIndex !== -1
  useLayoutEffect(() => {
    if (isOpenThere) setActiveId(openId)
  }, [openId, isOpenThere])
  const { noteClick, unpin } = useOpenRow({ virtualizer, openId, openIndex, size })

  useListKeys(grid, {
    canOpen: onOpen !== undefined,
    selectAll: selection === undefined ? undefined : () => onSelect?.(new Set(ids)),
  })

  function activate(index: number): void {
    const row = rows[index]
    if (row === undefined) return
    setActiveId(getId(row))
  }

  /** The focus can also come with Tab, or from a screen reader. */
  function handleFocus(event: FocusEvent): void {
    hasFocus.current = true
    const index = Number((event.target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset['index'])
    const row = rows[index]
    if (row !== undefined && getId(row) !== activeId) activate(index)
  }

  function selectRange(to: number): void {
    if (selection === undefined || onSelect === undefined) return
    anchor.current ??= active
    onSelect(setRange(selection, ids, [anchor.current, to], true))
  }

  function handleKey(event: KeyboardEvent): void {
    if ((event.target as HTMLElement).closest('input:not([type=checkbox]), textarea, select') !== null) return
    const pageSize = Math.max(Math.floor(size.height / size.rowHeight) - 2, 1)
    const hasSelection = selection !== undefined && selection.size > 0
    const action = getTableAction(event, { active, count: rows.length, pageSize, hasSelection, areLettersOn })
    const row = rows[active]
    if (action === null || row === undefined) return
    if (action.kind !== 'open' && action.kind !== 'move' && onSelect === undefined) return
    // The keys of the page, such as Esc, must not act as well.
    event.preventDefault()
    event.stopPropagation()
    switch (action.kind) {
      case 'move':
        if (action.isExtending) selectRange(action.to)
        else anchor.current = null
        mustFocus.current = true
        activate(action.to)
        virtualizer.scrollToIndex(action.to)
        break
      case 'toggle':
        anchor.current = active
        onSelect?.(toggle(selection ?? new Set(), getId(row)))
        break
      case 'select-all':
        onSelect?.(new Set(ids))
        break
      case 'clear':
        onSelect?.(new Set())
        break
      case 'open':
        onOpen?.(row, action.inNewTab)
        break
    }
  }

  function handleClick(event: MouseEvent): void {
    const target = event.target as HTMLElement
    const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset['index'])
    const row = rows[index]
    if (row === undefined) return
    if (target.closest('input[type=checkbox]') !== null) {
      if (event.shiftKey && anchor.current !== null) selectRange(index)
      else {
        anchor.current = index
        onSelect?.(toggle(selection ?? new Set(), getId(row)))
      }
      activate(index)
      return
    }
    activate(index)
    // Links and buttons in rows do what they say; text can be marked to copy it.
    if (target.closest('a, button') !== null || (getSelection()?.toString() ?? '') !== '') return
    noteClick(getId(row))
    onOpen?.(row, event.ctrlKey || event.metaKey)
  }

  const isEmpty = rows.length === 0
  return (
    // The rows have the focus, one at a time: the keys and clicks of all of them arrive here.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only notices that the user scrolls
    <div
      ref={scroller}
      className={styles.scroller}
      data-narrow={size.isNarrow || undefined}
      onWheel={unpin}
      onTouchMove={unpin}
      onPointerDown={unpin}
      onKeyDown={unpin}
    >
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus, jsx-a11y/click-events-have-key-events -- see above */}
      <div
        ref={grid}
        role="grid"
        aria-label={label}
        // -1: the number of rows is not known.
        aria-rowcount={props.hasMore === true ? -1 : (props.total ?? rows.length) + 1}
        aria-multiselectable={selection === undefined ? undefined : true}
        onKeyDown={handleKey}
        onFocus={handleFocus}
        onBlur={() => (hasFocus.current = false)}
        onClick={handleClick}
      >
        <TableHead {...{ columns, selection, onSelect }} ids={ids} sort={props.sort ?? null} onSort={props.onSort} />
        <div ref={body} className={styles.body} role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
          {items.map((item) => {
            const row = rows[item.index]
            if (row === undefined) return null
            const id = getId(row)
            return (
              <TableRow
                key={id}
                row={row}
                columns={columns}
                index={item.index}
                offset={item.start}
                height={size.rowHeight}
                label={props.getLabel(row)}
                isActive={item.index === active}
                isOpen={id === openId}
                isSelected={selection === undefined ? null : selection.has(id)}
                onMount={props.onRowMount}
                renderWide={props.renderWide}
              />
            )
          })}
        </div>
      </div>
      {isEmpty && props.empty}
    </div>
  )
}

/** Returns the first and the last row in sight. The current row is rendered wherever it is, and counts only beside them. */
function getRange(indexes: readonly number[], active: number): readonly [first: number, last: number] {
  const others = indexes.filter((index) => index !== active)
  const first = others[0] ?? active
  const last = others.at(-1) ?? (indexes.length === 0 ? -1 : active)
  return [active === first - 1 ? active : first, active === last + 1 ? active : last]
}

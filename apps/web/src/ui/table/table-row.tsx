import { memo, type ReactNode } from 'react'

import { classNames } from '../class-names.ts'
import type { Column } from './columns.ts'
import { getCellClass, getCellStyle, isOnSecondLine } from './cell-look.ts'
import styles from './table.module.css'

interface TableRowProps<Row> {
  row: Row
  columns: readonly Column<Row>[]
  index: number
  /** From the top of the rows, in pixels. */
  offset: number
  height: number
  label: string
  isActive: boolean
  isOpen: boolean
  /** Null if rows cannot be selected. */
  isSelected: boolean | null
  onMount: ((row: Row, element: HTMLElement) => (() => void) | undefined) | undefined
  renderWide: ((row: Row) => ReactNode) | undefined
}

/** Plain HTML only: components of libraries would cost more than half of the frame while scrolling. */
function PlainRow<Row>({
  row,
  columns,
  index,
  offset,
  height,
  label,
  isActive,
  isOpen,
  isSelected,
  onMount,
  renderWide,
}: TableRowProps<Row>) {
  const wide = renderWide?.(row) ?? null
  const firstBelow = columns.find(isOnSecondLine)
  return (
    <div
      className={styles.row}
      role="row"
      // The head is the first row.
      aria-rowindex={index + 2}
      aria-selected={isSelected ?? undefined}
      aria-current={isOpen || undefined}
      data-index={index}
      tabIndex={isActive ? 0 : -1}
      style={{ height, transform: `translateY(${offset}px)` }}
      ref={onMount === undefined ? undefined : (element) => (element === null ? undefined : onMount(row, element))}
    >
      {wide !== null && (
        <div className={styles.wide} role="gridcell" aria-colspan={columns.length + (isSelected === null ? 0 : 1)}>
          {wide}
        </div>
      )}
      {wide === null && isSelected !== null && (
        <div className={styles.select} role="gridcell">
          <input
            className={styles.checkbox}
            type="checkbox"
            aria-label={`Select ${label}`}
            tabIndex={-1}
            checked={isSelected}
            readOnly
          />
        </div>
      )}
      {(wide === null ? columns : []).map((column) => (
        <div
          key={column.id}
          className={classNames(styles.cell, ...getCellClass(column), column === firstBelow && styles.firstBelow)}
          role="gridcell"
          style={getCellStyle(column)}
        >
          {column.render(row)}
        </div>
      ))}
    </div>
  )
}

export const TableRow = memo(PlainRow) as typeof PlainRow

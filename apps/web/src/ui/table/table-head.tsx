import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { memo } from 'react'

import { Checkbox } from '../checkbox.tsx'
import { classNames } from '../class-names.ts'
import { VisuallyHidden } from '../visually-hidden.tsx'
import { getCellClass, getCellStyle } from './cell-look.ts'
import { type Column, getNextSort, type Sort } from './columns.ts'
import { getHeadState, type Selection } from './selection.ts'
import styles from './table.module.css'

interface TableHeadProps<Row> {
  columns: readonly Column<Row>[]
  ids: readonly string[]
  selection: Selection | undefined
  onSelect: ((selection: Selection) => void) | undefined
  sort: Sort | null
  onSort: ((sort: Sort | null) => void) | undefined
}

/** The first row: the heads of the columns, and a checkbox for all rows that the filter shows. */
function PlainHead<Row>({ columns, ids, selection, onSelect, sort, onSort }: TableHeadProps<Row>) {
  const state = selection === undefined ? false : getHeadState(selection, ids)
  return (
    <div className={styles.headGroup} role="rowgroup">
      <div className={styles.head} role="row" aria-rowindex={1}>
        {selection !== undefined && (
          <div className={styles.select} role="columnheader">
            <Checkbox
              label="Select all"
              isLabelHidden
              checked={state}
              onChange={() => onSelect?.(state === true ? new Set() : new Set(ids))}
            />
          </div>
        )}
        {columns.map((column) => (
          <div
            key={column.id}
            className={classNames(styles.cell, ...getCellClass(column))}
            role="columnheader"
            title={column.isHeadHidden === true ? undefined : column.head}
            aria-sort={sort?.column === column.id ? sort.direction : undefined}
            style={getCellStyle(column)}
          >
            {column.isSortable === true ? (
              <button className={styles.sort} type="button" onClick={() => onSort?.(getNextSort(sort, column.id))}>
                {column.head}
                {sort?.column === column.id && (sort.direction === 'ascending' ? <ArrowUp /> : <ArrowDown />)}
              </button>
            ) : column.isHeadHidden === true ? (
              <VisuallyHidden>{column.head}</VisuallyHidden>
            ) : (
              column.head
            )}
          </div>
        ))}
      </div>
    </div>
  )
}

/** It does not change while the table is scrolled, and its checkbox takes as long as several rows. */
export const TableHead = memo(PlainHead) as typeof PlainHead

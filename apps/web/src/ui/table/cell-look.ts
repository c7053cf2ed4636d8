import type { CSSProperties } from 'react'

import type { Column } from './columns.ts'
import styles from './table.module.css'

/** The classes that a column has in the head and in the rows. */
export const getCellClass = (column: Column<never>): (string | false | undefined)[] => [
  column.width === undefined && styles.main,
  column.align === 'end' && styles.end,
  column.hiddenBelow !== undefined && styles[`hiddenBelow${column.hiddenBelow}`],
  column.isLeading === true && styles.leading,
  column.isLeftOutWhenNarrow === true && styles.leftOut,
]

export const getCellStyle = ({ width }: Column<never>): CSSProperties => (width === undefined ? {} : { width })

/** Whether narrow tables show the column on the second line of a row. */
export const isOnSecondLine = ({ width, hiddenBelow, isLeading, isLeftOutWhenNarrow }: Column<never>): boolean =>
  width !== undefined && hiddenBelow === undefined && isLeading !== true && isLeftOutWhenNarrow !== true

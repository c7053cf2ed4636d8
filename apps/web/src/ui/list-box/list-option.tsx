import { memo, type ReactNode } from 'react'

import styles from './list-box.module.css'

interface ListOptionProps<Row> {
  row: Row
  id: string
  index: number
  /** Number of rows on the server. */
  total: number
  /** From the top of the list, in pixels. */
  offset: number
  height: number
  isCurrent: boolean
  isSelected: boolean
  renderRow: (row: Row) => ReactNode
}

const PlainOption = <Row,>(props: ListOptionProps<Row>) => (
  <div
    id={props.id}
    className={styles.option}
    role="option"
    aria-selected={props.isSelected}
    aria-current={props.isCurrent || undefined}
    aria-posinset={props.index + 1}
    aria-setsize={props.total}
    data-index={props.index}
    style={{ height: props.height, transform: `translateY(${props.offset}px)` }}
  >
    {props.renderRow(props.row)}
  </div>
)

/** A row of the list. It is rendered again only when it changes: the page around it does with every key. */
export const ListOption = memo(PlainOption) as typeof PlainOption

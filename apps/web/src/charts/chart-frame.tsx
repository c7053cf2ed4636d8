import { type CSSProperties, type ReactNode, useId, useState } from 'react'

import { Button } from '../ui/button.tsx'
import styles from '../ui/form-page.module.css'

/** The figures of a chart. */
export interface ChartTable {
  readonly heads: readonly string[]
  /** The first cell names the row. */
  readonly rows: readonly (readonly (string | number)[])[]
}

interface ChartFrameProps {
  title: string
  table: ChartTable
  /** The figures at the cursor; null for none. */
  figures: string | null
  /** What stands in the place of figures. */
  hint: string
  legend?: ReactNode
  children: ReactNode
}

/** The frame of every chart: its title, its legend, the figures at the cursor, and a button that shows all figures as a table. */
export function ChartFrame({ title, table, figures, hint, legend, children }: ChartFrameProps) {
  const [isTable, setIsTable] = useState(false)
  const id = useId()
  return (
    <section className={styles.list} aria-labelledby={id} style={frameStyle}>
      <div className={styles.bar}>
        <h2 id={id} style={{ margin: 0, font: 'var(--bold) var(--text-14)' }}>
          {title}
        </h2>
        <Button aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
          Table
        </Button>
      </div>
      {isTable ? (
        <Figures label={title} table={table} />
      ) : (
        <>
          {children}
          <div className={styles.bar} style={{ minHeight: 36 }}>
            <p role="status" style={statusStyle}>
              {figures ?? <span className={styles.muted}>{hint}</span>}
            </p>
            {legend}
          </div>
        </>
      )}
    </section>
  )
}

const Figures = ({ label, table }: { label: string; table: ChartTable }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
  <div role="region" aria-label={`Figures: ${label}`} tabIndex={0} style={{ maxHeight: 420, overflow: 'auto' }}>
    <table style={{ borderCollapse: 'collapse', font: 'var(--text-13)' }}>
      <thead>
        <tr>
          {table.heads.map((head) => (
            <th
              key={head}
              scope="col"
              style={{ ...cellStyle, color: 'var(--muted)', font: 'var(--medium) var(--text-12)' }}
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map(([head, ...cells], row) => (
          // oxlint-disable-next-line react/no-array-index-key -- titles may be equal
          <tr key={row}>
            <th
              scope="row"
              style={{ ...cellStyle, minWidth: 180, maxWidth: 420, font: 'inherit', overflowWrap: 'anywhere' }}
            >
              {head}
            </th>
            {cells.map((cell, index) => (
              <td key={table.heads[index + 1]} style={cellStyle}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const frameStyle: CSSProperties = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: 8,
  padding: '12px 16px',
}
const statusStyle: CSSProperties = { flex: '1 1 240px', minWidth: 0, overflowWrap: 'anywhere', font: 'var(--text-13)' }
const cellStyle: CSSProperties = {
  padding: '4px 12px 4px 0',
  borderBlockEnd: '1px solid var(--line)',
  textAlign: 'start',
  verticalAlign: 'top',
  whiteSpace: 'nowrap',
  fontVariantNumeric: 'tabular-nums',
}

import type { ReactNode } from 'react'

interface NamedRowsProps {
  rows: readonly { readonly id: string; readonly title?: string; readonly head: ReactNode }[]
  rowHeight: number
  /** The drawing beside the names. */
  children: ReactNode
}

/** A drawing of rows, with their names beside it. */
export const NamedRows = ({ rows, rowHeight, children }: NamedRowsProps) => (
  <div style={{ display: 'grid', gridTemplateColumns: 'fit-content(40%) minmax(0, 1fr)', gap: 12 }}>
    <ul style={{ margin: 0, padding: 0, listStyle: 'none', font: 'var(--text-13)' }}>
      {rows.map(({ id, title, head }) => (
        <li
          key={id}
          title={title}
          style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', alignContent: 'center', height: rowHeight }}
        >
          {head}
        </li>
      ))}
    </ul>
    {children}
  </div>
)

/** Text that is cut off at the end of its line. */
export const oneLine = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const

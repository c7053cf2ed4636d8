import type { CSSProperties, ReactNode } from 'react'

interface ChartLegendProps {
  /** What the marks are: "Tests a day". */
  label: string
  items: readonly {
    readonly name: string
    /** Drawn into 24 by 24 pixels. */
    readonly mark: ReactNode
  }[]
}

/** What the marks of a chart mean. */
export const ChartLegend = ({ label, items }: ChartLegendProps) => (
  <ul aria-label={label} style={listStyle}>
    {items.map(({ name, mark }) => (
      <li key={name} style={{ display: 'flex', gap: 4, alignItems: 'center' }}>
        <svg width={24} height={24} aria-hidden="true" style={{ flex: 'none' }}>
          {mark}
        </svg>
        {name}
      </li>
    ))}
  </ul>
)

const listStyle: CSSProperties = {
  display: 'flex',
  flexWrap: 'wrap',
  gap: '0 14px',
  margin: 0,
  padding: 0,
  color: 'var(--muted)',
  font: 'var(--text-12)',
  listStyle: 'none',
}

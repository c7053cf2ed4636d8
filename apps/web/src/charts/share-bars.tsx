import { useId } from 'react'

import { ChartCanvas } from './chart-canvas.tsx'
import { ChartFrame } from './chart-frame.tsx'
import { ChartLegend } from './chart-legend.tsx'
import { ARROWS_HINT, cursorStyle, keepInSight } from './look.ts'
import { NamedRows, oneLine } from './named-rows.tsx'
import { useChartCursor } from './use-chart-cursor.ts'
import { useWidth } from './use-width.ts'

/** How a part of a bar looks: each differs in height or hatching, too. */
type PartLook = 'good' | 'bad' | 'open' | 'none'

interface ShareBarsProps {
  title: string
  /** What the rows are: "Folder". */
  rowName: string
  parts: readonly { readonly name: string; readonly look: PartLook }[]
  /** With a value for each part. */
  rows: readonly { readonly id: string; readonly name: string; readonly values: readonly number[] }[]
  formatValue: (value: number) => string
}

const ROW = 30
const BAR = 14

/** A bar for each row, from zero, divided into parts. */
export function ShareBars({ title, rowName, parts, rows, formatValue }: ShareBarsProps) {
  const [scroller, width] = useWidth<HTMLDivElement>(400)
  const id = useId()
  const { cursor, setCursor, keyboard } = useChartCursor({
    rows: rows.length,
    columns: parts.length,
    first: { row: 0, column: 0 },
  })
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const max = Math.max(1, ...rows.map(({ values }) => sum(values)))
  const toWidth = (value: number) => (value / max) * (width - 4)
  const describe = (row: number, column: number) =>
    `${rows[row]?.name ?? ''}: ${formatValue(rows[row]?.values[column] ?? 0)} ${parts[column]?.name ?? ''}`
  return (
    <ChartFrame
      title={title}
      table={{
        heads: [rowName, ...parts.map(({ name }) => name)],
        rows: rows.map(({ name, values }) => [name, ...values.map(formatValue)]),
      }}
      figures={cursor === null ? null : describe(cursor.row, cursor.column)}
      hint={ARROWS_HINT}
      legend={
        parts.length > 1 && (
          <ChartLegend
            label="Parts"
            items={parts.map(({ name, look }) => ({ name, mark: <Part id={id} look={look} x={0} y={5} width={24} /> }))}
          />
        )
      }
    >
      <NamedRows
        rowHeight={ROW}
        rows={rows.map((row) => ({ id: row.id, title: row.name, head: <span style={oneLine}>{row.name}</span> }))}
      >
        <ChartCanvas
          {...{ title, scroller, keyboard, setCursor }}
          width={width}
          height={rows.length * ROW}
          hatchId={`${id}-hatch`}
        >
          {rows.map(({ id: rowId, values }, row) => {
            const y = row * ROW + (ROW - BAR) / 2
            return (
              <g key={rowId}>
                {values.map((value, column) => {
                  const x = 2 + toWidth(sum(values.slice(0, column)))
                  const isCurrent = cursor?.row === row && cursor.column === column
                  return (
                    // oxlint-disable-next-line react/no-array-index-key -- parts have no other identity
                    <g key={column} onPointerEnter={() => setCursor({ row, column })}>
                      <Part id={id} look={parts[column]?.look ?? 'none'} x={x} y={y} width={toWidth(value)} />
                      {isCurrent && (
                        <rect
                          x={x - 1}
                          y={y - 3}
                          width={toWidth(value) + 2}
                          height={BAR + 6}
                          ref={keepInSight}
                          style={cursorStyle}
                        />
                      )}
                    </g>
                  )
                })}
                <line x1={1} x2={1} y1={row * ROW} y2={(row + 1) * ROW} style={{ stroke: 'var(--control)' }} />
              </g>
            )
          })}
        </ChartCanvas>
      </NamedRows>
    </ChartFrame>
  )
}

function Part({ id, look, x, y, width }: { id: string; look: PartLook; x: number; y: number; width: number }) {
  const fills: Readonly<Record<PartLook, string>> = {
    good: 'var(--passed-fill)',
    bad: 'var(--failed-fill)',
    open: `url(#${id}-hatch)`,
    none: 'var(--line)',
  }
  const height = look === 'good' ? BAR - 4 : BAR
  // In the dark theme, its area is hardly lighter than the card.
  if (look === 'none') {
    const inner = Math.max(width - 1, 0)
    return (
      <rect
        x={x + 0.5}
        y={y + 0.5}
        width={inner}
        height={height - 1}
        style={{ fill: fills.none, stroke: inner === 0 ? 'none' : 'var(--control)' }}
      />
    )
  }
  return <rect x={x} y={y + BAR - height} width={width} height={height} fill={fills[look]} />
}

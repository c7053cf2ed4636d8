import type { ReactNode } from 'react'

import { ChartCanvas } from './chart-canvas.tsx'
import { ChartFrame } from './chart-frame.tsx'
import { ChartLegend } from './chart-legend.tsx'
import { ARROWS_HINT, cursorStyle, keepInSight } from './look.ts'
import { NamedRows } from './named-rows.tsx'
import { useChartCursor } from './use-chart-cursor.ts'
import { useWidth } from './use-width.ts'

export type MatrixCell = 'passed' | 'flaked' | 'failed' | 'failed_again' | 'not_run'

interface OutcomeMatrixProps {
  title: string
  rows: readonly {
    readonly id: string
    readonly label: string
    readonly head: ReactNode
    readonly cells: readonly MatrixCell[]
  }[]
  /** Names of the columns, the oldest first. */
  columns: readonly string[]
  onOpen: (column: number) => void
}

const ROW = 28
const MIN_CELL = 14
const MAX_CELL = 24
const cellNames: Readonly<Record<MatrixCell, string>> = {
  passed: 'passed',
  flaked: 'flaked',
  failed: 'failed',
  failed_again: 'failed with the same failure as before',
  not_run: 'not run',
}

/** How each test ended in each run: a dot, a ring, a bar, a thin dark bar, or nothing. */
export function OutcomeMatrix({ title, rows, columns, onOpen }: OutcomeMatrixProps) {
  const [scroller, width] = useWidth<HTMLDivElement>(600)
  const size = Math.min(MAX_CELL, Math.max(MIN_CELL, width / Math.max(columns.length, 1)))
  const { cursor, setCursor, keyboard } = useChartCursor({
    rows: rows.length,
    columns: columns.length,
    first: { row: 0, column: columns.length - 1 },
    onOpen: ({ column }) => onOpen(column),
  })
  const shown = cursor === null ? undefined : rows[cursor.row]
  return (
    <ChartFrame
      title={title}
      table={{
        heads: ['Test', ...columns.map((name, index) => `${index + 1}. ${name}`)],
        rows: rows.map(({ label, cells }) => [
          label,
          ...columns.map((_, index) => cellNames[cells[index] ?? 'not_run']),
        ]),
      }}
      figures={
        shown === undefined || cursor === null
          ? null
          : `${shown.label}: ${cellNames[shown.cells[cursor.column] ?? 'not_run']} in ${columns[cursor.column] ?? ''}`
      }
      hint={`${ARROWS_HINT} Enter opens the run.`}
      legend={
        <ChartLegend
          label="Outcomes"
          items={(['passed', 'flaked', 'failed', 'failed_again'] as const).map((cell) => ({
            name: cell === 'failed_again' ? 'the same failure again' : cellNames[cell],
            mark: <Cell cell={cell} x={12} y={12} />,
          }))}
        />
      }
    >
      <NamedRows rows={rows} rowHeight={ROW}>
        <ChartCanvas
          {...{ title, scroller, keyboard, setCursor }}
          width={size * columns.length}
          height={ROW * rows.length}
        >
          {rows.map(({ id, cells }, row) =>
            columns.map((_, column) => (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the chart has the keys
              <g
                // oxlint-disable-next-line react/no-array-index-key -- columns have no other identity
                key={`${id} ${column}`}
                onPointerEnter={() => setCursor({ row, column })}
                onClick={() => onOpen(column)}
              >
                <rect x={column * size} y={row * ROW} width={size} height={ROW} fill="transparent" />
                <Cell cell={cells[column] ?? 'not_run'} x={(column + 0.5) * size} y={(row + 0.5) * ROW} />
              </g>
            )),
          )}
          {cursor !== null && (
            <rect
              x={cursor.column * size + 1}
              y={cursor.row * ROW + 1}
              width={size - 2}
              height={ROW - 2}
              rx={3}
              ref={keepInSight}
              style={cursorStyle}
            />
          )}
        </ChartCanvas>
      </NamedRows>
    </ChartFrame>
  )
}

function Cell({ cell, x, y }: { cell: MatrixCell; x: number; y: number }) {
  switch (cell) {
    case 'passed':
      return <circle cx={x} cy={y} r={2.5} style={{ fill: 'var(--passed-fill)' }} />
    case 'flaked':
      return <circle cx={x} cy={y} r={4.5} style={{ fill: 'none', stroke: 'var(--blocked-fill)', strokeWidth: 2 }} />
    case 'failed':
      return <rect x={x - 4} y={y - 8} width={8} height={16} rx={1} style={{ fill: 'var(--failed-fill)' }} />
    case 'failed_again':
      return <rect x={x - 1.5} y={y - 8} width={3} height={16} rx={1} style={{ fill: 'var(--failed-text)' }} />
    case 'not_run':
      return null
  }
}

import type { ReactNode } from 'react'

import { ChartCanvas } from './chart-canvas.tsx'
import { ChartFrame, type ChartTable } from './chart-frame.tsx'
import { ChartLegend } from './chart-legend.tsx'
import { DayAxis } from './day-axis.tsx'
import { formatFullDay } from './days.ts'
import { getLevel, LEVELS } from './heat-levels.ts'
import { ARROWS_HINT, cursorStyle, keepInSight } from './look.ts'
import { NamedRows } from './named-rows.tsx'
import { useChartCursor } from './use-chart-cursor.ts'
import { useWidth } from './use-width.ts'

export interface HeatMapRow {
  readonly id: string
  /** For figures and tables. */
  readonly label: string
  readonly head: ReactNode
  readonly values: ReadonlyMap<string, number>
}

interface HeatMapProps {
  title: string
  /** What the rows are: "Cause". */
  rowName: string
  rows: readonly HeatMapRow[]
  days: readonly string[]
  /** "3 tests". */
  formatValue: (value: number) => string
  /** Enter, or a click. */
  onOpen: (row: HeatMapRow) => void
}

const levelNames = ['1', '2–4', '5–19', '20+'] as const
const shades = [30, 55, 80, 100] as const

const ROW = 40
const AXIS = 24
const MIN_DAY = 14
const MAX_SQUARE = 22

/** Rows by days: the larger a figure, the larger and darker its square. */
export function HeatMap({ title, rowName, rows, days, formatValue, onOpen }: HeatMapProps) {
  const [scroller, width] = useWidth<HTMLDivElement>(600)
  const dayWidth = Math.max(MIN_DAY, width / days.length)
  const open = (index: number) => {
    const row = rows[index]
    if (row !== undefined) onOpen(row)
  }
  const { cursor, setCursor, keyboard } = useChartCursor({
    rows: rows.length,
    columns: days.length,
    first: { row: 0, column: days.length - 1 },
    onOpen: ({ row }) => open(row),
  })
  const height = rows.length * ROW
  const describe = (row: HeatMapRow, day: string) => {
    const value = row.values.get(day) ?? 0
    return `${row.label}, ${formatFullDay(day)}: ${value === 0 ? 'none' : formatValue(value)}`
  }
  const shown = cursor === null ? undefined : rows[cursor.row]
  const shownDay = cursor === null ? undefined : days[cursor.column]
  return (
    <ChartFrame
      title={title}
      table={toTable(rowName, rows, days)}
      figures={shown === undefined || shownDay === undefined ? null : describe(shown, shownDay)}
      hint={ARROWS_HINT}
      legend={<Legend />}
    >
      <NamedRows rows={rows} rowHeight={ROW}>
        <ChartCanvas
          {...{ title, scroller, keyboard, setCursor }}
          width={dayWidth * days.length}
          height={height + AXIS}
        >
          <DayAxis days={days} dayWidth={dayWidth} height={height} />
          {rows.flatMap((row, place) =>
            days.map((day, column) => (
              <Cell
                key={`${row.id} ${day}`}
                x={column * dayWidth}
                y={place * ROW}
                width={dayWidth}
                value={row.values.get(day) ?? 0}
                isCurrent={cursor?.row === place && cursor.column === column}
                onPoint={() => setCursor({ row: place, column })}
                onOpen={() => open(place)}
              />
            )),
          )}
        </ChartCanvas>
      </NamedRows>
    </ChartFrame>
  )
}

interface CellProps {
  x: number
  y: number
  width: number
  value: number
  isCurrent: boolean
  onPoint: () => void
  onOpen: () => void
}

const Cell = ({ x, y, width, value, isCurrent, onPoint, onOpen }: CellProps) => (
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the chart has keys
  <g onPointerEnter={onPoint} onClick={onOpen}>
    <rect x={x} y={y} width={width} height={ROW} fill="transparent" />
    {value > 0 && (
      <Square x={x + width / 2} y={y + ROW / 2} level={getLevel(value)} room={Math.min(MAX_SQUARE, width - 2)} />
    )}
    {isCurrent && (
      <rect x={x + 0.5} y={y + 2.5} width={width - 1} height={ROW - 5} rx={3} ref={keepInSight} style={cursorStyle} />
    )}
  </g>
)

/** A square around a place. Its size says as much as its shade. */
function Square({ x, y, level, room }: { x: number; y: number; level: number; room: number }) {
  const size = (room * (level + 2)) / (LEVELS.length + 1)
  const fill = `color-mix(in srgb, var(--failed-fill) ${shades[level] ?? 100}%, var(--card))`
  return (
    <rect
      x={x - size / 2}
      y={y - size / 2}
      width={size}
      height={size}
      rx={2}
      style={{ fill, stroke: 'var(--failed-fill)', strokeWidth: 1 }}
    />
  )
}

const Legend = () => (
  <ChartLegend
    label="Tests a day"
    items={levelNames.map((name, level) => ({ name, mark: <Square x={12} y={12} level={level} room={MAX_SQUARE} /> }))}
  />
)

const toTable = (rowName: string, rows: readonly HeatMapRow[], days: readonly string[]): ChartTable => ({
  heads: [rowName, ...days.map(formatFullDay)],
  rows: rows.map(({ label, values }) => [label, ...days.map((day) => values.get(day) ?? 0)]),
})

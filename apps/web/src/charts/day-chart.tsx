import { ChartCanvas } from './chart-canvas.tsx'
import { ChartFrame } from './chart-frame.tsx'
import { ChartLegend } from './chart-legend.tsx'
import { DayAxis } from './day-axis.tsx'
import { drawLine, isAlone } from './day-line.ts'
import { formatFullDay } from './days.ts'
import { ARROWS_HINT, axisText, keepInSight } from './look.ts'
import { useChartCursor } from './use-chart-cursor.ts'
import { useWidth } from './use-width.ts'
import { chooseValueTicks } from './value-axis.ts'

export interface DayChartSeries {
  readonly name: string
  /** By day; a day without a value is a gap. */
  readonly values: ReadonlyMap<string, number>
  /** Days whose value comes from one run only, which are marked. */
  readonly points?: ReadonlySet<string>
  /** A line by default. */
  readonly look?: 'thin' | 'columns'
}

interface DayChartProps {
  title: string
  days: readonly string[]
  series: readonly DayChartSeries[]
  /** Days on which something happened that the legend names. */
  marks?: { readonly name: string; readonly days: ReadonlySet<string> }
  /** The largest value that is possible, if there is one. */
  max?: number
  formatValue: (value: number) => string
  /** Returns the values that the axis names, up to the largest one. */
  chooseTicks?: (max: number) => readonly number[]
}

const HEIGHT = 140
const AXIS = 24
const TOP = 10
const SIDE = 56
const MIN_DAY = 8

/** A line, or columns, for each series from day to day, from zero. Days without a value are gaps, which nothing bridges. */
export function DayChart({
  title,
  days,
  series,
  marks,
  max,
  formatValue,
  chooseTicks = chooseValueTicks,
}: DayChartProps) {
  const [scroller, width] = useWidth<HTMLDivElement>(600)
  const dayWidth = Math.max(MIN_DAY, (width - SIDE) / days.length)
  const { cursor, setCursor, keyboard } = useChartCursor({
    rows: 1,
    columns: days.length,
    first: { row: 0, column: days.length - 1 },
  })
  const ticks = chooseTicks(max ?? Math.max(1, ...series.flatMap(({ values }) => [...values.values()])))
  const top = ticks.at(-1) ?? 1
  const toX = (column: number) => SIDE + (column + 0.5) * dayWidth
  const toY = (value: number) => TOP + HEIGHT - (value / top) * HEIGHT
  const total = SIDE + dayWidth * days.length
  const describe = (day: string) =>
    [
      ...series.map(({ name, values }) => {
        const value = values.get(day)
        return `${name}: ${value === undefined ? 'none' : formatValue(value)}`
      }),
      ...(marks?.days.has(day) === true ? [marks.name] : []),
    ].join(', ')
  const shownDay = cursor === null ? undefined : days[cursor.column]
  return (
    <ChartFrame
      title={title}
      table={{
        heads: ['Day', ...series.map(({ name }) => name), ...(marks === undefined ? [] : [marks.name])],
        rows: days.map((day) => [
          formatFullDay(day),
          ...series.map(({ values }) => {
            const value = values.get(day)
            return value === undefined ? '–' : formatValue(value)
          }),
          ...(marks === undefined ? [] : [marks.days.has(day) ? 'yes' : '']),
        ]),
      }}
      figures={shownDay === undefined ? null : `${formatFullDay(shownDay)}: ${describe(shownDay)}`}
      hint={ARROWS_HINT}
      legend={
        series.length + (marks === undefined ? 0 : 1) > 1 && (
          <ChartLegend
            label="Marks"
            items={[
              ...series.map(({ name, look }) => ({
                name,
                mark: (
                  <>
                    <path d="M2 12H22" style={look === 'thin' ? thinStyle : lineStyle} />
                    {look !== 'columns' && <Point x={12} y={12} isThin={look === 'thin'} />}
                  </>
                ),
              })),
              ...(marks === undefined ? [] : [{ name: marks.name, mark: <Mark x={12} y={20} /> }]),
            ]}
          />
        )
      }
    >
      <ChartCanvas {...{ title, scroller, keyboard, setCursor }} width={total} height={TOP + HEIGHT + AXIS}>
        {ticks.map((value) => (
          <g key={value}>
            <line
              x1={SIDE}
              x2={total}
              y1={toY(value)}
              y2={toY(value)}
              style={{ stroke: value === 0 ? 'var(--control)' : 'var(--line)' }}
            />
            <text x={SIDE - 6} y={toY(value) + 4} textAnchor="end" style={axisText}>
              {formatValue(value)}
            </text>
          </g>
        ))}
        <DayAxis days={days} dayWidth={dayWidth} height={TOP + HEIGHT} left={SIDE} />
        {series.map(({ name, values, points, look }) => (
          <g key={name}>
            {look === 'columns' ? (
              days.map((day, column) => {
                const y = toY(values.get(day) ?? 0)
                const size = Math.min(dayWidth - 2, 32)
                return (
                  <rect
                    key={day}
                    x={toX(column) - size / 2}
                    y={y}
                    width={size}
                    height={TOP + HEIGHT - y}
                    style={{ fill: 'var(--failed-fill)' }}
                  />
                )
              })
            ) : (
              <path d={drawLine(days, values, toX, toY)} style={look === 'thin' ? thinStyle : lineStyle} />
            )}
            {days.map((day, column) =>
              look !== 'columns' && values.has(day) && (points?.has(day) === true || isAlone(days, column, values)) ? (
                <Point key={day} x={toX(column)} y={toY(values.get(day) ?? 0)} isThin={look === 'thin'} />
              ) : null,
            )}
          </g>
        ))}
        {days.map((day, column) => (
          <g key={day} onPointerEnter={() => setCursor({ row: 0, column })}>
            <rect x={SIDE + column * dayWidth} y={0} width={dayWidth} height={TOP + HEIGHT} fill="transparent" />
            {marks?.days.has(day) === true && <Mark x={toX(column)} y={TOP + HEIGHT} />}
            {cursor?.column === column && (
              <line
                x1={toX(column)}
                x2={toX(column)}
                y1={TOP - 4}
                y2={TOP + HEIGHT}
                ref={keepInSight}
                style={{ stroke: 'var(--accent)', strokeWidth: 2 }}
              />
            )}
          </g>
        ))}
      </ChartCanvas>
    </ChartFrame>
  )
}

/** Of a thin line it is a ring, which leaves a dot at the same place in sight. */
const Point = ({ x, y, isThin }: { x: number; y: number; isThin: boolean }) => (
  <circle
    cx={x}
    cy={y}
    r={isThin ? 5 : 3}
    style={isThin ? { fill: 'none', stroke: 'var(--accent)' } : { fill: 'var(--accent)' }}
  />
)

/** A triangle that stands on a line. */
const Mark = ({ x, y }: { x: number; y: number }) => (
  <path d={`M${x - 5} ${y}h10l-5 -9z`} style={{ fill: 'var(--blocked-fill)' }} />
)

const lineStyle = { fill: 'none', stroke: 'var(--accent)', strokeWidth: 2, strokeLinejoin: 'round' } as const
const thinStyle = { ...lineStyle, strokeWidth: 1, strokeDasharray: '4 3' } as const

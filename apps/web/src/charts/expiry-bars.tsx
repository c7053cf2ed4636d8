import { useId } from 'react'

import { ChartCanvas } from './chart-canvas.tsx'
import { ChartFrame } from './chart-frame.tsx'
import { ChartLegend } from './chart-legend.tsx'
import { DayAxis } from './day-axis.tsx'
import { formatFullDay, getMidnight, listDays, toLocalDay } from './days.ts'
import { ARROWS_HINT, cursorStyle, keepInSight } from './look.ts'
import { NamedRows, oneLine } from './named-rows.tsx'
import { useChartCursor } from './use-chart-cursor.ts'
import { useWidth } from './use-width.ts'

export interface ExpiryBar {
  readonly id: string
  /** What ends, for figures and tables. */
  readonly label: string
  /** The same where there is little room. */
  readonly name: string
  readonly owner: string
  readonly start: Date
  readonly end: Date
}

interface ExpiryBarsProps {
  title: string
  bars: readonly ExpiryBar[]
  now: Date
}

const ROW = 30
const BAR = 12
const AXIS = 24
const MIN_DAY = 5
const DAY_MS = 86_400_000
/** From here on, a bar has another color and hatching. */
const LONG_DAYS = 60
/** So many days before its end, a bar is outlined. */
const SOON_DAYS = 3

/** A bar for each entry from its start to its end, with today as a line, those that end first at the top. */
export function ExpiryBars({ title, bars, now }: ExpiryBarsProps) {
  const [scroller, width] = useWidth<HTMLDivElement>(600)
  const id = useId()
  const sorted = bars.toSorted((a, b) => a.end.getTime() - b.end.getTime())
  const { cursor, setCursor, keyboard } = useChartCursor({
    rows: sorted.length,
    columns: 1,
    first: { row: 0, column: 0 },
  })
  const days = listDays(
    toLocalDay(new Date(Math.min(now.getTime(), ...bars.map(({ start }) => start.getTime())))),
    toLocalDay(new Date(Math.max(now.getTime(), ...bars.map(({ end }) => end.getTime())))),
  )
  const dayWidth = Math.max(MIN_DAY, width / days.length)
  const origin = getMidnight(days[0] ?? toLocalDay(now)).getTime()
  const toX = (at: Date) => ((at.getTime() - origin) / DAY_MS) * dayWidth
  const height = sorted.length * ROW
  const shown = cursor === null ? undefined : sorted[cursor.row]
  return (
    <ChartFrame
      title={title}
      table={{
        heads: ['Test', 'Owner', 'Since', 'Ends', 'Days left'],
        rows: sorted.map((bar) => [
          bar.label,
          bar.owner,
          formatFullDay(toLocalDay(bar.start)),
          formatFullDay(toLocalDay(bar.end)),
          countDaysLeft(bar, now),
        ]),
      }}
      figures={shown === undefined ? null : describe(shown, now)}
      hint={ARROWS_HINT}
      legend={<Legend id={id} />}
    >
      <NamedRows
        rowHeight={ROW}
        rows={sorted.map(({ id: barId, label, name, owner }) => ({
          id: barId,
          title: `${label} · ${owner}`,
          head: (
            <span style={oneLine}>
              {name} <span style={{ color: 'var(--muted)' }}>{owner}</span>
            </span>
          ),
        }))}
      >
        <ChartCanvas
          {...{ title, scroller, keyboard, setCursor }}
          width={dayWidth * days.length}
          height={height + AXIS}
          hatchId={`${id}-hatch`}
          hatchFill="var(--blocked-fill)"
        >
          <DayAxis days={days} dayWidth={dayWidth} height={height} />
          {sorted.map((bar, row) => (
            <g key={bar.id} onPointerEnter={() => setCursor({ row, column: 0 })}>
              <rect x={0} y={row * ROW} width={dayWidth * days.length} height={ROW} fill="transparent" />
              <Bar
                bar={bar}
                y={row * ROW + (ROW - BAR) / 2}
                toX={toX}
                now={now}
                id={id}
                isCurrent={cursor?.row === row}
              />
            </g>
          ))}
          <line x1={toX(now)} x2={toX(now)} y1={0} y2={height + 6} style={todayStyle} />
        </ChartCanvas>
      </NamedRows>
    </ChartFrame>
  )
}

interface BarProps {
  bar: ExpiryBar
  y: number
  toX: (at: Date) => number
  now: Date
  id: string
  isCurrent: boolean
}

function Bar({ bar: { start, end }, y, toX, now, id, isCurrent }: BarProps) {
  const long = new Date(start.getTime() + LONG_DAYS * DAY_MS)
  const isLong = end > long
  const isSoon = end.getTime() - now.getTime() <= SOON_DAYS * DAY_MS
  const from = toX(start)
  const to = Math.max(from + 3, toX(end))
  return (
    <>
      <rect x={from} y={y} width={to - from} height={BAR} rx={3} style={{ fill: 'var(--not-tested-fill)' }} />
      {isLong && <rect x={toX(long)} y={y} width={to - toX(long)} height={BAR} fill={`url(#${id}-hatch)`} />}
      {(isSoon || isCurrent) && (
        <rect
          x={from - 2}
          y={y - 2}
          width={to - from + 4}
          height={BAR + 4}
          rx={4}
          style={isCurrent ? cursorStyle : soonStyle}
          ref={isCurrent ? keepInSight : null}
        />
      )}
    </>
  )
}

const Legend = ({ id }: { id: string }) => (
  <ChartLegend
    label="Marks"
    items={[
      { name: 'today', mark: <line x1={12} x2={12} y1={2} y2={22} style={todayStyle} /> },
      { name: 'after 60 days', mark: <rect y={6} width={24} height={BAR} fill={`url(#${id}-hatch)`} /> },
      {
        name: 'ends within 3 days',
        mark: <rect x={1} y={5} width={22} height={BAR + 2} rx={4} style={soonStyle} />,
      },
    ]}
  />
)

const countDaysLeft = ({ end }: ExpiryBar, now: Date): number =>
  Math.max(0, Math.ceil((end.getTime() - now.getTime()) / DAY_MS))

function describe(bar: ExpiryBar, now: Date): string {
  const left = countDaysLeft(bar, now)
  const period = `${formatFullDay(toLocalDay(bar.start))} to ${formatFullDay(toLocalDay(bar.end))}`
  return `${bar.label}, ${bar.owner}: ${period}, ${left === 1 ? '1 day' : `${left} days`} left`
}

const todayStyle = { stroke: 'var(--text)', strokeWidth: 1.5 } as const
const soonStyle = { fill: 'none', stroke: 'var(--failed-fill)', strokeWidth: 2 } as const

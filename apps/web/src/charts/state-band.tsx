import { useId } from 'react'

import { formatExactTime } from '../times.ts'
import { ChartCanvas } from './chart-canvas.tsx'
import { ChartFrame } from './chart-frame.tsx'
import { ChartLegend } from './chart-legend.tsx'
import { DayAxis } from './day-axis.tsx'
import { getMidnight } from './days.ts'
import { ARROWS_HINT, cursorStyle, keepInSight } from './look.ts'
import { NamedRows, oneLine } from './named-rows.tsx'
import { useChartCursor } from './use-chart-cursor.ts'
import { useWidth } from './use-width.ts'

type BandState = 'green' | 'red' | 'excluded'

export interface BandRow {
  readonly id: string
  readonly name: string
  /** In the order of time. Between them, nothing is known. */
  readonly segments: readonly {
    readonly from: string
    readonly to: string
    readonly state: BandState
    readonly run_id: string
  }[]
}

interface StateBandProps {
  title: string
  days: readonly string[]
  rows: readonly BandRow[]
  now: Date
  onOpen: (runId: string) => void
}

const ROW = 34
const BAR = 18
const AXIS = 24
const MIN_DAY = 6
const DAY_MS = 86_400_000
const stateNames: Readonly<Record<BandState, string>> = {
  green: 'green',
  red: 'red',
  excluded: 'left out, as after an outage',
}

/** A row for each series: each run colors the time until the next one. Red is as high as the row, green is half of it. */
export function StateBand({ title, days, rows, now, onOpen }: StateBandProps) {
  const [scroller, width] = useWidth<HTMLDivElement>(600)
  const id = useId()
  const dayWidth = Math.max(MIN_DAY, width / days.length)
  const origin = getMidnight(days[0] ?? '').getTime()
  const end = Math.max(now.getTime(), origin + 1)
  const total = dayWidth * days.length
  const toX = (at: string) => (Math.min(Math.max(Date.parse(at), origin), end) - origin) * (dayWidth / DAY_MS)
  const longest = Math.max(1, ...rows.map(({ segments }) => segments.length))
  const getSegment = (row: number, column: number) => {
    const segments = rows[row]?.segments ?? []
    return segments[Math.min(column, segments.length - 1)]
  }
  const { cursor, setCursor, keyboard } = useChartCursor({
    rows: rows.length,
    columns: longest,
    first: { row: 0, column: Math.max((rows[0]?.segments.length ?? 1) - 1, 0) },
    onOpen: ({ row, column }) => {
      const segment = getSegment(row, column)
      if (segment !== undefined) onOpen(segment.run_id)
    },
  })
  const shown = cursor === null ? undefined : getSegment(cursor.row, cursor.column)
  const height = rows.length * ROW
  return (
    <ChartFrame
      title={title}
      table={{
        heads: ['Suite', 'From', 'To', 'State'],
        rows: rows.flatMap(({ name, segments }) =>
          segments.map(({ from, to, state }) => [name, formatExactTime(from), formatExactTime(to), stateNames[state]]),
        ),
      }}
      figures={
        shown === undefined || cursor === null
          ? null
          : `${rows[cursor.row]?.name ?? ''}: ${stateNames[shown.state]} from ${formatExactTime(shown.from)} to ${formatExactTime(shown.to)}`
      }
      hint={`${ARROWS_HINT} Enter opens the run.`}
      legend={
        <ChartLegend
          label="States"
          items={(['green', 'red', 'excluded'] as const).map((state) => ({
            name: state === 'excluded' ? 'left out' : state,
            mark: <Segment id={id} state={state} x={0} y={3} width={24} />,
          }))}
        />
      }
    >
      <NamedRows
        rowHeight={ROW}
        rows={rows.map((row) => ({
          id: row.id,
          title: row.name,
          head: <span style={oneLine}>{row.name}</span>,
        }))}
      >
        <ChartCanvas
          {...{ title, scroller, keyboard, setCursor }}
          width={total}
          height={height + AXIS}
          hatchId={`${id}-hatch`}
        >
          <DayAxis days={days} dayWidth={dayWidth} height={height} />
          {rows.map((row, place) => {
            const y = place * ROW + (ROW - BAR) / 2
            return (
              <g key={row.id}>
                <line x1={0} x2={total} y1={y + BAR} y2={y + BAR} style={{ stroke: 'var(--line)' }} />
                {row.segments.map(({ from, to, state, run_id: runId }, column) => {
                  const x = toX(from)
                  const isCurrent = cursor?.row === place && getSegment(place, cursor.column)?.run_id === runId
                  const size = Math.max(toX(to) - x, 1)
                  return (
                    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the chart has the keys
                    <g
                      key={runId}
                      style={{ cursor: 'pointer' }}
                      onPointerEnter={() => setCursor({ row: place, column })}
                      onClick={() => onOpen(runId)}
                    >
                      <rect x={x} y={place * ROW} width={size} height={ROW} fill="transparent" />
                      <Segment id={id} state={state} x={x} y={y} width={size} />
                      {isCurrent && (
                        <rect x={x} y={y - 3} width={size} height={BAR + 6} ref={keepInSight} style={cursorStyle} />
                      )}
                    </g>
                  )
                })}
              </g>
            )
          })}
        </ChartCanvas>
      </NamedRows>
    </ChartFrame>
  )
}

/** Heights differ, so that the state does not depend on color alone. */
function Segment({ id, state, x, y, width }: { id: string; state: BandState; x: number; y: number; width: number }) {
  const height = state === 'green' ? BAR / 2 : BAR
  const fill =
    state === 'excluded' ? `url(#${id}-hatch)` : state === 'green' ? 'var(--passed-fill)' : 'var(--failed-fill)'
  return <rect x={x} y={y + BAR - height} width={width} height={height} fill={fill} />
}

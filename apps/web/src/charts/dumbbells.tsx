import { ChartCanvas } from './chart-canvas.tsx'
import { ChartFrame } from './chart-frame.tsx'
import { ChartLegend } from './chart-legend.tsx'
import { ARROWS_HINT, axisText, cursorStyle, keepInSight } from './look.ts'
import { NamedRows, oneLine } from './named-rows.tsx'
import { useChartCursor } from './use-chart-cursor.ts'
import { useWidth } from './use-width.ts'

interface DumbbellsProps {
  title: string
  rowName: string
  /** In any unit, above zero; `before` null if it is not known. */
  rows: readonly {
    readonly id: string
    readonly name: string
    /** What stands beside the row, which has less room than the figures. */
    readonly shortName: string
    readonly before: number | null
    readonly now: number
  }[]
  formatValue: (value: number) => string
}

const ROW = 26
const AXIS = 24
const SIDE = 24

/** Two dots for each row, before and now, on an axis of powers of ten, which the title says. */
export function Dumbbells({ title, rowName, rows, formatValue }: DumbbellsProps) {
  const [scroller, width] = useWidth<HTMLDivElement>(400)
  const { cursor, setCursor, keyboard } = useChartCursor({
    rows: rows.length,
    columns: 1,
    first: { row: 0, column: 0 },
  })
  const values = rows.flatMap(({ before, now }) => [before ?? now, now])
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))))
  const toX = (value: number) => SIDE + ((Math.log10(value) - low) / (high - low)) * Math.max(width - 2 * SIDE, 1)
  const height = rows.length * ROW
  const format = (value: number | null) => (value === null ? 'unknown' : formatValue(value))
  const describe = ({ name, before, now }: (typeof rows)[number]) =>
    `${name}: before ${format(before)}, now ${format(now)}`
  const shown = cursor === null ? undefined : rows[cursor.row]
  return (
    <ChartFrame
      title={`${title}, on a logarithmic axis`}
      table={{
        heads: [rowName, 'Before', 'Now'],
        rows: rows.map(({ name, before, now }) => [name, format(before), format(now)]),
      }}
      figures={shown === undefined ? null : describe(shown)}
      hint={ARROWS_HINT}
      legend={
        <ChartLegend
          label="Dots"
          items={[
            { name: 'before', mark: <Dot x={12} y={12} isNow={false} /> },
            { name: 'now', mark: <Dot x={12} y={12} isNow /> },
          ]}
        />
      }
    >
      <NamedRows
        rowHeight={ROW}
        rows={rows.map(({ id, name, shortName }) => ({
          id,
          title: name,
          head: <span style={oneLine}>{shortName}</span>,
        }))}
      >
        <ChartCanvas {...{ title, scroller, keyboard, setCursor }} width={width} height={height + AXIS}>
          {listTicks(low, high).map((value) => (
            <g key={value}>
              <line x1={toX(value)} x2={toX(value)} y1={0} y2={height} style={{ stroke: 'var(--line)' }} />
              <text x={toX(value)} y={height + 18} textAnchor="middle" style={axisText}>
                {formatValue(value)}
              </text>
            </g>
          ))}
          {rows.map(({ id, before, now }, row) => {
            const y = (row + 0.5) * ROW
            return (
              <g key={id} onPointerEnter={() => setCursor({ row, column: 0 })}>
                <rect y={row * ROW} width={width} height={ROW} fill="transparent" />
                {before !== null && (
                  <>
                    <line x1={toX(before)} x2={toX(now)} y1={y} y2={y} style={{ stroke: 'var(--control)' }} />
                    <Dot x={toX(before)} y={y} isNow={false} />
                  </>
                )}
                <Dot x={toX(now)} y={y} isNow />
                {cursor?.row === row && (
                  <rect x={2} y={y - 11} width={width - 4} height={22} rx={3} ref={keepInSight} style={cursorStyle} />
                )}
              </g>
            )
          })}
        </ChartCanvas>
      </NamedRows>
    </ChartFrame>
  )
}

/** Powers of ten, and twice and five times as much where there is room for them. */
const listTicks = (low: number, high: number): readonly number[] => [
  ...Array.from({ length: high - low }, (_, index) =>
    (high - low > 2 ? [1] : [1, 2, 5]).map((factor) => factor * 10 ** (low + index)),
  ).flat(),
  10 ** high,
]

const Dot = ({ x, y, isNow }: { x: number; y: number; isNow: boolean }) => (
  <circle
    cx={x}
    cy={y}
    r={5}
    style={{
      fill: isNow ? 'var(--text)' : 'var(--card)',
      stroke: isNow ? 'var(--text)' : 'var(--control)',
      strokeWidth: 2,
    }}
  />
)

import { chooseTicks } from './days.ts'
import { axisText } from './look.ts'

interface DayAxisProps {
  days: readonly string[]
  dayWidth: number
  /** Of the drawing above the axis. */
  height: number
  /** Where the first day begins. */
  left?: number
}

/** The days below a drawing, each named at its midnight. */
export const DayAxis = ({ days, dayWidth, height, left = 0 }: DayAxisProps) =>
  chooseTicks(days, dayWidth).map(({ index, label }) => {
    const x = left + index * dayWidth
    return (
      <g key={index}>
        <line x1={x} x2={x} y1={0} y2={height + 6} style={{ stroke: 'var(--line)' }} />
        <text x={x + 3} y={height + 18} style={axisText}>
          {label}
        </text>
      </g>
    )
  })

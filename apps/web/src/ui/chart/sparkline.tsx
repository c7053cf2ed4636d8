import { VisuallyHidden } from '../visually-hidden.tsx'
import { buildLine } from './build-line.ts'
import styles from './sparkline.module.css'

interface SparklineProps {
  /** What the figures are, such as “Pass rate of the last 20 runs”. */
  label: string
  /** From 0 to 100, the oldest first. */
  values: readonly number[]
  width?: number
  height?: number
}

/** The course of a figure, without axes. Screen readers get its first, lowest and last value. */
export function Sparkline({ label, values, width = 120, height = 28 }: SparklineProps) {
  const { path, last } = buildLine(values, width, height)
  return (
    <span className={styles.sparkline}>
      <svg className={styles.chart} viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
        <path className={styles.line} d={path} />
        {last !== null && <circle className={styles.last} cx={last.x} cy={last.y} r={2.5} />}
      </svg>
      <VisuallyHidden>{describe(label, values)}</VisuallyHidden>
    </span>
  )
}

function describe(label: string, values: readonly number[]): string {
  const [first] = values
  const last = values.at(-1)
  if (first === undefined || last === undefined) return `${label}: no values`
  const round = (value: number) => Math.round(value)
  return `${label}: from ${round(first)} to ${round(last)} percent, lowest ${round(Math.min(...values))} percent`
}

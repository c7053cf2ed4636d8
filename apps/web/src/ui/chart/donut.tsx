import { formatShare } from '../format-count.ts'
import { describeCounts, divideBar, type StatusCounts } from '../status/statuses.ts'
import styles from './donut.module.css'

const RADIUS = 40
const CIRCUMFERENCE = 2 * Math.PI * RADIUS

interface DonutProps {
  counts: StatusCounts
  /** Whether the share of what passed of what is tested is shown, and the ring is of that alone. */
  showsPassed?: boolean
  /** The diameter in pixels. */
  size?: number
}

/** The share of each status as a ring, with the share of what is tested in its middle. */
export function Donut({ counts, showsPassed = false, size = 72 }: DonutProps) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const tested = total - counts.not_tested
  const share = showsPassed ? formatShare(counts.passed, tested) : formatShare(tested, total)
  const shares = divideBar(showsPassed ? { ...counts, not_tested: 0 } : counts)
  const arcs = shares.map(({ status, percent }, index) => ({
    status,
    length: toLength(percent),
    start: toLength(shares.slice(0, index).reduce((sum, earlier) => sum + earlier.percent, 0)),
  }))
  return (
    <svg
      className={styles.donut}
      viewBox="0 0 96 96"
      width={size}
      height={size}
      role="img"
      aria-label={`${share} ${showsPassed ? 'passed' : 'tested'}: ${describeCounts(counts)}`}
    >
      <circle className={styles.track} cx="48" cy="48" r={RADIUS} />
      {arcs
        .filter(({ status }) => status !== 'not_tested')
        .map((arc) => (
          <circle
            key={arc.status}
            className={styles[arc.status]}
            cx="48"
            cy="48"
            r={RADIUS}
            strokeDasharray={`${Math.max(arc.length - 1, 0.5)} ${CIRCUMFERENCE}`}
            strokeDashoffset={-arc.start}
            transform="rotate(-90 48 48)"
          />
        ))}
      <text className={styles.share} x="48" y="48" textAnchor="middle" dominantBaseline="central">
        {share}
      </text>
    </svg>
  )
}

const toLength = (percent: number) => (percent / 100) * CIRCUMFERENCE

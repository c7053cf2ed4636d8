import type { BurnUp as BurnUpFigures } from '@caseward/client/endpoints'

import { FiguresTable } from '../../ui/chart/figures-table.tsx'
import { formatCount, formatNumberOf } from '../../ui/format-count.ts'
import { buildBurnUp, type Point } from './build-burn-up.ts'
import styles from './burn-up.module.css'
import { formatDay } from './milestone-words.ts'

interface BurnUpProps {
  figures: BurnUpFigures
  due: string | null
  /** The day on which everything is tested at the present pace; null without one. */
  expected: string | null
}

/** What was tested until the end of each day, of all results, with the due date and the pace. */
export function BurnUp({ figures, due, expected }: BurnUpProps) {
  const chart = buildBurnUp(figures, due, expected)
  const now = Date.now()
  const last = figures.days.at(-1)
  return (
    <figure className={styles.burnUp}>
      <div className={styles.chart} aria-hidden="true">
        <span className={styles.total}>{formatCount(figures.total)}</span>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none">
          <path className={styles.limit} d="M0 0H100" />
          <path className={styles.executed} d={drawArea(chart.executed)} />
          <path className={styles.failed} d={drawArea(chart.failed)} />
          <path className={styles.executedLine} d={drawLine(chart.executed)} />
          <path className={styles.failedLine} d={drawLine(chart.failed)} />
          {chart.pace.length > 0 && <path className={styles.pace} d={drawLine(chart.pace)} />}
        </svg>
        {chart.dueLeft !== null && (
          <span
            className={styles.due}
            style={{ left: `${chart.dueLeft}%` }}
            data-late={chart.dueLeft > 70 || undefined}
          >
            <span>Due</span>
          </span>
        )}
      </div>
      <div className={styles.scale} aria-hidden="true">
        <span>{formatDay(chart.firstDay, now)}</span>
        <span>{formatDay(chart.lastDay, now)}</span>
      </div>
      <figcaption className={styles.legend}>
        <span className={styles.executedKey}>Tested</span>
        <span className={styles.failedKey}>Failed</span>
        {chart.pace.length > 0 && <span className={styles.paceKey}>At this pace</span>}
        {last !== undefined && (
          <span className={styles.today}>
            {formatCount(last.executed)} of {formatNumberOf(figures.total, 'result')} tested until today
          </span>
        )}
      </figcaption>
      <FiguresTable
        caption="Burn-up: results until the end of each day"
        heads={['Day', 'Tested', 'Failed']}
        rows={figures.days.map(({ day, executed, failed }) => [day, executed, failed])}
      />
    </figure>
  )
}

const drawLine = (points: readonly Point[]): string =>
  points.map(({ left, height }, index) => `${index === 0 ? 'M' : 'L'}${round(left)} ${round(100 - height)}`).join('')

function drawArea(points: readonly Point[]): string {
  const [first, last] = [points[0], points.at(-1)]
  return first === undefined || last === undefined
    ? ''
    : `${drawLine(points)}L${round(last.left)} 100L${round(first.left)} 100Z`
}

const round = (value: number) => Math.round(value * 100) / 100

import { useMemo } from 'react'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { formatShare } from '../../ui/format-count.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { countTested } from '../runs/count-statuses.ts'
import { sumCounts } from '../runs/run-bar-counts.ts'
import { buildTimeline, type TimelineBar } from './build-timeline.ts'
import type { FullMilestone } from './milestone-queries.ts'
import type { MilestoneRow } from './milestone-rows.ts'
import { formatDay, formatDue } from './milestone-words.ts'
import styles from './milestones-timeline.module.css'
import { PhaseWord } from './phase-word.tsx'

interface MilestonesTimelineProps {
  projectId: string
  rows: readonly MilestoneRow[]
}

/** In percent: a label further right would not fit at 200 %. */
const LAST_LABEL = 80

/** The milestones as bars from start to due, with today as a line. Screen readers get the dates. */
export function MilestonesTimeline({ projectId, rows }: MilestonesTimelineProps) {
  const timeline = useMemo(
    () =>
      buildTimeline(
        rows.map(({ milestone }) => milestone),
        Date.now(),
      ),
    [rows],
  )
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
    <section className={styles.timeline} aria-label="Timeline" tabIndex={0}>
      <div className={styles.scale} aria-hidden="true">
        {timeline.ticks.map(({ label, left }) => (
          <span key={label} className={styles.tick} style={{ left: `${left}%` }}>
            {left <= LAST_LABEL && label}
          </span>
        ))}
      </div>
      <ul className={styles.rows}>
        {rows.map((row, index) => (
          <li key={row.milestone.id} className={styles.row}>
            <Link
              className={classNames(styles.name, row.parentName !== null && styles.sub)}
              to={paths.milestone(projectId, row.milestone.id)}
              title={row.milestone.name}
            >
              {row.milestone.name}
              {row.parentName !== null && <VisuallyHidden>{`, sub-milestone of ${row.parentName}`}</VisuallyHidden>}
            </Link>
            <span className={styles.phase}>
              <PhaseWord row={row} />
            </span>
            <Bar milestone={row.milestone} bar={timeline.bars[index] ?? null} today={timeline.today} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const looks: Readonly<Record<FullMilestone['phase'], string | undefined>> = {
  upcoming: undefined,
  started: styles.started,
  past_due: styles.overdue,
  completed: styles.completed,
}

interface BarProps {
  milestone: FullMilestone
  bar: TimelineBar | null
  today: number
}

function Bar({ milestone, bar, today }: BarProps) {
  const words = describeDates(milestone)
  return (
    <span className={styles.track} title={words}>
      <span className={styles.today} style={{ left: `${today}%` }} />
      {bar !== null && (
        <span
          className={classNames(styles.bar, looks[milestone.phase], bar.isOpenEnded && styles.openEnded)}
          style={{ left: `${bar.left}%`, width: `${bar.width}%` }}
        >
          <span className={styles.done} style={{ width: `${computeTestedPercent(milestone)}%` }} />
        </span>
      )}
      <VisuallyHidden>{words}</VisuallyHidden>
      {bar === null && (
        <span className={styles.none} aria-hidden="true">
          No dates
        </span>
      )}
    </span>
  )
}

const computeTestedPercent = ({ stats }: FullMilestone): number =>
  (100 * countTested(stats)) / Math.max(sumCounts(stats), 1)

/** Says what the bar shows: "From 3 Nov, due 13 Dec, in 20 days. 38 % tested." */
function describeDates({ start_date: start, due_date: due, created_at, phase, stats }: FullMilestone): string {
  const now = Date.now()
  const total = sumCounts(stats)
  const done = total === 0 ? 'No results.' : `${formatShare(countTested(stats), total)} tested.`
  if (start === null && due === null) return `No dates. ${done}`
  const from = start === null ? `Created on ${formatDay(created_at, now)}` : `From ${formatDay(start, now)}`
  if (due === null) return `${from}, no due date. ${done}`
  const age = phase === 'completed' ? '' : `, ${formatDue(due, now)}`
  return `${from}, due ${formatDay(due, now)}${age}. ${done}`
}

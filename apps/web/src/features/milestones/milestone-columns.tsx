import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { formatExactTime } from '../../times.ts'
import { classNames } from '../../ui/class-names.ts'
import { Count } from '../../ui/count.tsx'
import { formatShare } from '../../ui/format-count.ts'
import { StatusBar } from '../../ui/status/status-bar.tsx'
import { describeCounts } from '../../ui/status/statuses.ts'
import type { Column } from '../../ui/table/columns.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { countTested } from '../runs/count-statuses.ts'
import { sumCounts } from '../runs/run-bar-counts.ts'
import type { MilestoneRow } from './milestone-rows.ts'
import { formatDay, formatDue } from './milestone-words.ts'
import styles from './milestones.module.css'
import { PhaseWord } from './phase-word.tsx'

/** The columns of the tree of milestones. */
export const milestoneColumns = (projectId: string): readonly Column<MilestoneRow>[] => [
  {
    id: 'name',
    head: 'Milestone',
    isSortable: true,
    render: ({ milestone, parentName }) => (
      <span className={classNames(styles.nameCell, parentName !== null && styles.sub)}>
        <Link
          className={styles.name}
          to={paths.milestone(projectId, milestone.id)}
          tabIndex={-1}
          title={milestone.name}
        >
          {milestone.name}
        </Link>
        {parentName !== null && <VisuallyHidden>{`, sub-milestone of ${parentName}`}</VisuallyHidden>}
      </span>
    ),
  },
  {
    id: 'phase',
    head: 'Phase',
    width: 100,
    render: (row) => <PhaseWord row={row} />,
  },
  {
    id: 'bar',
    head: 'Results',
    width: 168,
    hiddenBelow: 740,
    render: ({ milestone }) => <StatusBar className={styles.bar} counts={milestone.stats} />,
  },
  {
    id: 'tested',
    head: 'Tested',
    isSortable: true,
    width: 76,
    align: 'end',
    render: ({ milestone: { stats } }) => (
      <span title={describeCounts(stats)}>
        {formatShare(countTested(stats), sumCounts(stats))}
        <VisuallyHidden> tested</VisuallyHidden>
      </span>
    ),
  },
  {
    id: 'runs',
    head: 'Runs',
    width: 56,
    align: 'end',
    hiddenBelow: 860,
    render: ({ milestone }) => (
      <span className={styles.muted}>
        <Count value={milestone.run_count} />
        <VisuallyHidden>{milestone.run_count === 1 ? ' run' : ' runs'}</VisuallyHidden>
      </span>
    ),
  },
  {
    id: 'start',
    head: 'Start',
    isSortable: true,
    width: 92,
    hiddenBelow: 1000,
    render: ({ milestone }) => <Day at={milestone.start_date} />,
  },
  { id: 'due', head: 'Due', width: 168, isSortable: true, render: (row) => <Due row={row} /> },
]

function Day({ at }: { at: string | null }) {
  if (at === null) return null
  return (
    <time className={styles.muted} dateTime={at} title={formatExactTime(at, { timeZone: 'UTC' })}>
      {formatDay(at, Date.now())}
    </time>
  )
}

function Due({ row: { milestone, subCount } }: { row: MilestoneRow }) {
  const { due_date: due, phase, date_mode: mode } = milestone
  if (due === null) return <span className={styles.muted}>No due date</span>
  const now = Date.now()
  const isDerived = subCount > 0 && mode === 'auto'
  const exact = formatExactTime(due, { timeZone: 'UTC' })
  return (
    <time
      className={phase === 'past_due' ? styles.overdue : styles.muted}
      dateTime={due}
      title={isDerived ? `${exact}. The latest due date of its sub-milestones` : exact}
    >
      {phase === 'completed' ? formatDay(due, now) : `${formatDay(due, now)}, ${formatDue(due, now)}`}
    </time>
  )
}

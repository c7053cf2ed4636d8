import type { Run } from '@caseward/client/endpoints'
import { Link } from 'react-router'

import { classNames } from '../../ui/class-names.ts'
import { formatCount, formatNumberOf, formatShare } from '../../ui/format-count.ts'
import { StatusBar } from '../../ui/status/status-bar.tsx'
import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Time } from '../../ui/time.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { getDuration, shortenCommit } from './build-data.ts'
import { countTested } from './count-statuses.ts'
import { getBarCounts, sumCounts } from './run-bar-counts.ts'
import { describeRunOutcome } from './run-outcome.ts'
import { getRunStart, isOverInCi } from './run-start.ts'
import { runStatusNames } from './run-words.ts'
import styles from './runs.module.css'
import type { RunsRow } from './use-runs-list.ts'

interface RunsColumnsOptions {
  /** Whether the rows are in the order of time, those in progress first. */
  readonly isByDay: boolean
  readonly hasMilestones: boolean
  /** Whether a branch or commit of a run is known. */
  readonly hasBuilds: boolean
}

/** The columns of the list of runs. */
export const createRunsColumns = ({
  isByDay,
  hasMilestones,
  hasBuilds,
}: RunsColumnsOptions): readonly Column<RunsRow>[] => [
  ...(isByDay
    ? [
        {
          id: 'day',
          head: 'Day',
          width: 112,
          render: ({ day, isFirstOfDay }: RunsRow) =>
            isFirstOfDay ? (
              <span style={{ fontWeight: 'var(--bold)' }} title={day}>
                {day}
              </span>
            ) : (
              <span className={styles.dayAgain}>
                <VisuallyHidden>{day}</VisuallyHidden>
              </span>
            ),
        },
      ]
    : []),
  {
    id: 'name',
    head: 'Run',
    isSortable: true,
    render: ({ run }) => (
      <Link className={styles.name} to={getRunStart(run)} tabIndex={-1} title={run.name}>
        {run.name}
      </Link>
    ),
  },
  ...(hasMilestones
    ? [
        {
          id: 'milestone',
          head: 'Milestone',
          width: 112,
          hiddenBelow: 1000 as const,
          render: ({ milestoneName }: RunsRow) => (
            <span className={styles.muted} title={milestoneName ?? undefined}>
              {milestoneName}
            </span>
          ),
        },
      ]
    : []),
  ...(hasBuilds
    ? [
        {
          id: 'build',
          head: 'Branch, commit',
          width: 168,
          hiddenBelow: 860 as const,
          render: ({ run }: RunsRow) => <Build metadata={run.metadata} />,
        },
      ]
    : []),
  ...(isByDay
    ? []
    : [
        {
          id: 'status',
          head: 'Status',
          width: 84,
          render: ({ run }: RunsRow) => <span className={styles.muted}>{runStatusNames[run.status]}</span>,
        },
      ]),
  {
    id: 'bar',
    head: 'Results',
    width: 96,
    render: ({ run }) => <StatusBar className={styles.bar} counts={getBarCounts(run)} />,
  },
  {
    id: 'tested',
    head: 'Tested',
    isSortable: true,
    width: 60,
    align: 'end',
    render: ({ run }) => <TestedShare run={run} />,
  },
  {
    id: 'failed',
    head: 'Failed',
    isSortable: true,
    width: 148,
    render: ({ run }) => <Outcome run={run} />,
  },
  {
    id: 'duration',
    head: 'Duration',
    width: 68,
    align: 'end',
    hiddenBelow: 740,
    render: ({ run }) => <span className={styles.muted}>{getDuration(run)}</span>,
  },
  {
    id: 'created',
    head: 'Started',
    isSortable: true,
    width: 72,
    align: 'end',
    hiddenBelow: 740,
    render: ({ run }) => (
      <span className={styles.muted}>
        <Time at={run.created_at} />
      </span>
    ),
  },
]

function Build({ metadata: { branch, commit } }: Pick<Run, 'metadata'>) {
  return (
    <span className={styles.build} title={[branch, commit].filter((part) => part !== undefined).join(' ') || undefined}>
      <span>{branch}</span> {commit !== undefined && shortenCommit(commit)}
    </span>
  )
}

function Outcome({ run }: { run: Run }) {
  const outcome = describeRunOutcome(run)
  if (outcome === null) return null
  return (
    <span
      className={classNames(styles.outcome, outcome.isFailure ? styles.errors : styles.muted)}
      title={outcome.title}
    >
      {outcome.hasFailed && <StatusGlyph status="failed" isNamed={false} />}
      {outcome.text}
    </span>
  )
}

/** Only where something is left to test: the bar says the rest. Nobody tests what CI has skipped in a run that is over. */
function TestedShare({ run }: { run: Run }) {
  const counts = getBarCounts(run)
  const total = sumCounts(counts)
  if (countTested(counts) === total || isOverInCi(run)) return null
  const [done, all] =
    run.result_count > 0
      ? [formatNumberOf(countTested(counts), 'result'), formatNumberOf(total, 'test case')]
      : [formatCount(countTested(counts)), formatNumberOf(total, 'test')]
  return (
    <span title={`${done} of ${all}`}>
      {formatShare(countTested(counts), total)}
      <VisuallyHidden> tested</VisuallyHidden>
    </span>
  )
}

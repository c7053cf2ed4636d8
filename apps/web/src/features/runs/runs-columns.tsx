import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { Count } from '../../ui/count.tsx'
import { formatNumberOf, formatShare } from '../../ui/format-count.ts'
import { StatusBar } from '../../ui/status/status-bar.tsx'
import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Time } from '../../ui/time.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { countTested } from './count-statuses.ts'
import { RunTestFacts } from './run-test-facts.tsx'
import { runStatusNames } from './run-words.ts'
import styles from './runs.module.css'
import type { RunsRow } from './use-runs-list.ts'

/** The columns of the list of runs. */
export const runsColumns: readonly Column<RunsRow>[] = [
  {
    id: 'name',
    head: 'Run',
    render: ({ run }) => (
      <Link className={styles.name} to={paths.run(run.id)} tabIndex={-1} title={run.name}>
        {run.name}
      </Link>
    ),
  },
  {
    id: 'milestone',
    head: 'Milestone',
    width: 140,
    hiddenBelow: 860,
    render: ({ milestoneName }) => (
      <span className={styles.muted} title={milestoneName ?? undefined}>
        {milestoneName}
      </span>
    ),
  },
  {
    id: 'status',
    head: 'Status',
    width: 100,
    render: ({ run }) => <span className={styles.muted}>{runStatusNames[run.status]}</span>,
  },
  {
    id: 'bar',
    head: 'Results',
    width: 168,
    render: ({ run }) => <StatusBar className={styles.bar} counts={run.stats} />,
  },
  {
    id: 'tested',
    head: 'Tested',
    width: 56,
    align: 'end',
    render: ({ run }) => (
      <span
        title={`${formatNumberOf(countTested(run.stats), 'result')} of ${formatNumberOf(run.result_count, 'test case')}`}
      >
        {formatShare(countTested(run.stats), run.result_count)}
        <VisuallyHidden> tested</VisuallyHidden>
      </span>
    ),
  },
  {
    id: 'failed',
    head: 'Failed',
    width: 64,
    align: 'end',
    render: ({ run }) =>
      run.stats.failed === 0 ? null : (
        <span className={styles.failed}>
          <Count value={run.stats.failed} />
          <StatusGlyph status="failed" isNamed={false} />
          <VisuallyHidden> failed</VisuallyHidden>
        </span>
      ),
  },
  {
    id: 'tests',
    head: 'Automated tests',
    width: 240,
    hiddenBelow: 1000,
    render: ({ run }) => <RunTestFacts run={run} isInRow />,
  },
  {
    id: 'created',
    head: 'Started',
    width: 76,
    align: 'end',
    hiddenBelow: 620,
    render: ({ run }) => (
      <span className={styles.muted}>
        <Time at={run.created_at} />
      </span>
    ),
  },
]

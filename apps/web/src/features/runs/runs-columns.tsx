import type { Run } from '@caseward/client/endpoints'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { Count } from '../../ui/count.tsx'
import { formatCount, formatNumberOf, formatShare } from '../../ui/format-count.ts'
import { StatusBar } from '../../ui/status/status-bar.tsx'
import { StatusGlyph } from '../../ui/status/status-glyph.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { Time } from '../../ui/time.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { countTested } from './count-statuses.ts'
import { getBarCounts, sumCounts } from './run-bar-counts.ts'
import { countFailed, formatErrors } from './run-counts.ts'
import { RunTestFacts } from './run-test-facts.tsx'
import { runStatusNames } from './run-words.ts'
import styles from './runs.module.css'
import type { RunsRow } from './use-runs-list.ts'

/** The columns of the list of runs. That of the errors is there if a run has some. */
export const createRunsColumns = (hasErrors: boolean): readonly Column<RunsRow>[] => [
  {
    id: 'name',
    head: 'Run',
    isSortable: true,
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
    // Without more room, the errors take it from the bar.
    width: hasErrors ? 76 : 156,
    render: ({ run }) => <StatusBar className={styles.bar} counts={getBarCounts(run)} />,
  },
  {
    id: 'tested',
    head: 'Tested',
    isSortable: true,
    width: 68,
    align: 'end',
    render: ({ run }) => <TestedShare run={run} />,
  },
  {
    id: 'failed',
    head: 'Failed',
    isSortable: true,
    width: 64,
    align: 'end',
    render: ({ run }) =>
      countFailed(run) === 0 ? null : (
        <span className={styles.failed} title={describeFailed(run)}>
          <Count value={countFailed(run)} />
          <StatusGlyph status="failed" isNamed={false} />
          <VisuallyHidden> failed</VisuallyHidden>
        </span>
      ),
  },
  ...(hasErrors
    ? [
        {
          id: 'errors',
          head: 'Errors',
          width: 64,
          align: 'end' as const,
          render: ({ run: { id, test_stats: tests } }: RunsRow) =>
            tests.errors === 0 ? null : (
              <Link className={styles.errors} to={paths.runTests(id, { errors: true })} tabIndex={-1}>
                {formatErrors(tests.errors)}
              </Link>
            ),
        },
      ]
    : []),
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
    isSortable: true,
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

function TestedShare({ run }: { run: Run }) {
  const counts = getBarCounts(run)
  const total = sumCounts(counts)
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

function describeFailed(run: Run): string {
  const tests = countFailed(run) - run.stats.failed
  return [
    ...(run.stats.failed === 0 ? [] : [formatNumberOf(run.stats.failed, 'failed result')]),
    ...(tests === 0 ? [] : [`${formatNumberOf(tests, 'failed test')} without a test case`]),
  ].join(', ')
}

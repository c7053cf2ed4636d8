import type { Run } from '@caseward/client/endpoints'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { formatCount, formatNumberOf, formatShare } from '../../ui/format-count.ts'
import { StatusBar } from '../../ui/status/status-bar.tsx'
import { Time } from '../../ui/time.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { countTested } from '../runs/count-statuses.ts'
import { getBarCounts, sumCounts } from '../runs/run-bar-counts.ts'
import { getRunStart } from '../runs/run-start.ts'
import { RunTestFacts } from '../runs/run-test-facts.tsx'
import { LoadedCard } from '../../ui/loaded-card.tsx'
import styles from './overview.module.css'

const SHOWN = 6

interface OpenRunsProps {
  projectId: string
  query: UseQueryResult<{ data: Run[]; meta: { total: number } }>
  /** The newest runs, whatever their status is. */
  recent: readonly Run[]
  mayStart: boolean
}

/** The runs in progress, the newest first; without any, the latest runs: those of CI complete by themselves. */
export const OpenRuns = ({ projectId, query, recent, mayStart }: OpenRunsProps) => (
  <LoadedCard
    title="Open runs"
    count={query.data?.meta.total}
    query={query}
    rows={3}
    more={
      (query.data?.meta.total ?? 0) > SHOWN && (
        <Link className={styles.more} to={paths.runs(projectId)}>
          All
        </Link>
      )
    }
  >
    {({ data }) => (
      <>
        {data.length === 0 && (
          <div className={styles.none}>
            <p>{recent.length === 0 ? 'No run is in progress.' : 'No run is in progress. The latest runs:'}</p>
            {mayStart && recent.length === 0 && <ButtonLink to={paths.newRun(projectId)}>Start a run</ButtonLink>}
          </div>
        )}
        <ul>
          {(data.length === 0 ? recent : data).slice(0, SHOWN).map((run) => (
            <RunLine key={run.id} run={run} />
          ))}
        </ul>
      </>
    )}
  </LoadedCard>
)

function RunLine({ run }: { run: Run }) {
  const counts = getBarCounts(run)
  const hasFacts = run.test_stats.unmatched > 0 || run.test_stats.errors > 0
  return (
    <li className={styles.run}>
      <div className={styles.runLine}>
        <Link className={styles.name} to={getRunStart(run)} title={run.name}>
          {run.name}
        </Link>
        <StatusBar className={styles.bar} counts={counts} />
        <span
          className={styles.figure}
          title={`${formatCount(countTested(counts))} of ${formatNumberOf(sumCounts(counts), run.result_count > 0 ? 'test case' : 'test')}`}
        >
          {formatShare(countTested(counts), sumCounts(counts))}
          <VisuallyHidden> tested</VisuallyHidden>
        </span>
        <span className={styles.age}>
          <Time at={run.created_at} />
        </span>
      </div>
      {hasFacts && <RunTestFacts run={run} />}
    </li>
  )
}

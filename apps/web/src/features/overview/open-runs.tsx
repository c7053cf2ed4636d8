import type { Run } from '@caseward/client/endpoints'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'react-router'

import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { formatNumberOf, formatShare } from '../../ui/format-count.ts'
import { StatusBar } from '../../ui/status/status-bar.tsx'
import { Time } from '../../ui/time.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { countTested } from '../runs/count-statuses.ts'
import { LoadedCard } from '../../ui/loaded-card.tsx'
import styles from './overview.module.css'

const SHOWN = 6

interface OpenRunsProps {
  projectId: string
  query: UseQueryResult<{ data: Run[]; meta: { total: number } }>
  mayStart: boolean
}

/** The runs in progress, the newest first. */
export const OpenRuns = ({ projectId, query, mayStart }: OpenRunsProps) => (
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
    {({ data }) =>
      data.length === 0 ? (
        <div className={styles.none}>
          <p>No run is in progress.</p>
          {mayStart && <ButtonLink to={paths.newRun(projectId)}>Start a run</ButtonLink>}
        </div>
      ) : (
        <ul>
          {data.slice(0, SHOWN).map((run) => (
            <li key={run.id} className={styles.row}>
              <Link className={styles.name} to={paths.run(run.id)} title={run.name}>
                {run.name}
              </Link>
              <StatusBar className={styles.bar} counts={run.stats} />
              <span
                className={styles.figure}
                title={`${formatNumberOf(countTested(run.stats), 'result')} of ${formatNumberOf(run.result_count, 'test case')}`}
              >
                {formatShare(countTested(run.stats), run.result_count)}
                <VisuallyHidden> tested</VisuallyHidden>
              </span>
              <span className={styles.age}>
                <Time at={run.created_at} />
              </span>
            </li>
          ))}
        </ul>
      )
    }
  </LoadedCard>
)

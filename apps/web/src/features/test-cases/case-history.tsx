import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { queries } from '../../api.ts'
import { describeFailure } from '../../problems.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatNumberOf, formatWholeNumber } from '../../ui/format-count.ts'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import { HistoryStrip } from '../../ui/status/history-strip.tsx'
import styles from './case-history.module.css'
import { HistoryFilters } from './history-filters.tsx'
import { HistoryList } from './history-list.tsx'
import { SearchedHistory } from './searched-history.tsx'
import type { HistoryFilter } from './searched-history-query.ts'

const PER_PAGE = 50
/** Results in the strip. */
const SHOWN = 10
const NO_FILTER: HistoryFilter = { statuses: [], branch: '' }

/** In which runs a test case is, and how it went: the newest first. */
export function CaseHistory({ projectId, caseId }: { projectId: string; caseId: string }) {
  const [page, setPage] = useState(1)
  const [filter, setFilter] = useState(NO_FILTER)
  const results = useQuery({ ...queries.caseResults(projectId, caseId, page), placeholderData: (known) => known })
  if (results.error !== null) {
    return (
      <ErrorMessage title="The history could not be loaded." onRetry={() => void results.refetch()}>
        {describeFailure(results.error, { noun: 'test case' }).message}
      </ErrorMessage>
    )
  }
  if (results.data === undefined) {
    return (
      <Loading label="Loading the history">
        <SkeletonRows count={5} />
      </Loading>
    )
  }
  const { data, total } = results.data
  if (total === 0) return <p className={styles.none}>No run contains this test case yet.</p>
  const hasMerged = data.some(({ test_case_id: id }) => id !== caseId)
  const pages = Math.ceil(total / PER_PAGE)
  const isFiltered = filter.statuses.length > 0 || filter.branch !== ''
  return (
    <div className={styles.history}>
      <div className={styles.usage}>
        <HistoryStrip
          statuses={data
            .map(({ status }) => status)
            .slice(0, SHOWN)
            .toReversed()}
          places={Math.min(data.length, SHOWN)}
        />
        {hasMerged
          ? `${formatNumberOf(total, 'result')}, with merged test cases`
          : `In ${formatNumberOf(total, 'run')}`}
      </div>
      {(total > 1 || isFiltered) && (
        <HistoryFilters
          branches={[...new Set(data.flatMap(({ branch }) => branch ?? []))].toSorted()}
          onChange={setFilter}
        />
      )}
      {isFiltered ? (
        <SearchedHistory projectId={projectId} caseId={caseId} filter={filter} />
      ) : (
        <>
          <HistoryList projectId={projectId} caseId={caseId} results={data} />
          {pages > 1 && (
            <div className={styles.pages}>
              <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
                Newer
              </Button>
              <span className={styles.detail}>
                {formatWholeNumber(page)} of {formatWholeNumber(pages)}
              </span>
              <Button disabled={page >= pages} onClick={() => setPage(page + 1)}>
                Older
              </Button>
            </div>
          )}
        </>
      )}
    </div>
  )
}

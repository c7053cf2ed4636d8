import { useInfiniteQuery } from '@tanstack/react-query'

import { describeFailure } from '../../problems.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { formatNumberOf } from '../../ui/format-count.ts'
import { Loading, SkeletonRows } from '../../ui/skeleton.tsx'
import styles from './case-history.module.css'
import { HistoryList } from './history-list.tsx'
import { type HistoryFilter, searchedHistoryQuery } from './searched-history-query.ts'

/** The results of a test case that a filter selects. Each page says how many runs it has searched. */
export function SearchedHistory({
  projectId,
  caseId,
  filter,
}: {
  projectId: string
  caseId: string
  filter: HistoryFilter
}) {
  const search = useInfiniteQuery(searchedHistoryQuery(projectId, caseId, filter))
  if (search.error !== null) {
    return (
      <ErrorMessage title="The history could not be searched." onRetry={() => void search.refetch()}>
        {describeFailure(search.error, { noun: 'test case' }).message}
      </ErrorMessage>
    )
  }
  if (search.data === undefined) {
    return (
      <Loading label="Searching the history">
        <SkeletonRows count={5} />
      </Loading>
    )
  }
  const results = search.data.pages.flatMap(({ data }) => data)
  const searched = search.data.pages.reduce((sum, { searchedCount }) => sum + searchedCount, 0)
  return (
    <>
      <p className={styles.usage} role="status">
        {formatNumberOf(results.length, 'result')} in {formatNumberOf(searched, 'run')}
        {search.hasNextPage ? ' so far' : ''}
      </p>
      {results.length > 0 && <HistoryList projectId={projectId} caseId={caseId} results={results} />}
      {search.hasNextPage && (
        <div className={styles.pages}>
          <Button isBusy={search.isFetchingNextPage} onClick={() => void search.fetchNextPage()}>
            Search older runs
          </Button>
        </div>
      )}
    </>
  )
}

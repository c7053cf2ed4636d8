import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'

import { useSettled } from '../../use-settled.ts'
import { testQueries } from './test-queries.ts'
import { collectRows, type TestPage, type TestRow } from './test-row.ts'
import type { TestView } from './test-words.ts'

/** The tests that a page shows. */
export interface TestList {
  /** Those that have arrived. */
  readonly rows: readonly TestRow[]
  /** On the server; 10,000 means 10,000 or more. */
  readonly total: number
  readonly isLoading: boolean
  /** Whether the rows are those of the filter before. */
  readonly isOutdated: boolean
  readonly isLoadingMore: boolean
  /** Nothing has arrived. */
  readonly error: Error | null
  /** Some rows have arrived, and more could not be loaded. */
  readonly moreError: Error | null
  readonly loadMore: () => void
  readonly retry: () => void
}

/** Reads the tests of a run, or of a project, as far as they come into sight. Failed tests of a run come first. */
export function useTestList(projectId: string | undefined, runId: string | null, view: TestView): TestList {
  const q = useSettled(view.q.trim())
  const asked = { match: view.match, outcome: view.outcome, q }
  const inRun = useInfiniteQuery({
    ...testQueries.inRun(runId ?? '', asked),
    enabled: runId !== null,
    placeholderData: keepPreviousData,
  })
  const failed = useInfiniteQuery({
    ...testQueries.inRun(runId ?? '', { ...asked, outcome: 'failed' }),
    enabled: runId !== null && asked.outcome === 'all',
    placeholderData: keepPreviousData,
  })
  const inProject = useInfiniteQuery({
    ...testQueries.inProject(projectId ?? '', asked),
    enabled: runId === null,
    placeholderData: keepPreviousData,
  })
  const list = usePages(runId === null ? inProject : inRun, view, q !== view.q.trim())
  const hasFailedFirst = runId !== null && view.outcome === 'all'
  const failedPages = hasFailedFirst ? failed.data?.pages : undefined
  const shownMatch = list.isOutdated || failed.isPlaceholderData ? 'all' : view.match
  const rows = useMemo(
    () => (failedPages === undefined ? list.rows : putFirst(collectRows(failedPages, shownMatch).rows, list.rows)),
    [failedPages, shownMatch, list.rows],
  )
  return { ...list, rows, isLoading: list.isLoading || (hasFailedFirst && failed.isLoading) }
}

/** Puts rows before all others, also those that have not come into sight yet. */
function putFirst(first: readonly TestRow[], rows: readonly TestRow[]): readonly TestRow[] {
  if (first.length === 0) return rows
  const ids = new Set(first.map(({ id }) => id))
  return [...first, ...rows.filter(({ id }) => !ids.has(id))]
}

function usePages(
  list: UseInfiniteQueryResult<InfiniteData<TestPage>>,
  { match }: TestView,
  isTyping: boolean,
): TestList {
  const { data, error, fetchNextPage, hasNextPage, isFetching, isFetchNextPageError, refetch } = list
  const pages = data?.pages
  const isOutdated = list.isPlaceholderData || isTyping
  // Rows of the filter before are shown as they were.
  const shownMatch = isOutdated ? 'all' : match
  const collected = useMemo(() => collectRows(pages ?? [], shownMatch), [pages, shownMatch])
  const canLoadMore = hasNextPage && !isFetching && !isFetchNextPageError
  const loadMore = useCallback(() => {
    if (canLoadMore) void fetchNextPage({ cancelRefetch: false })
  }, [canLoadMore, fetchNextPage])
  return {
    ...collected,
    isLoading: data === undefined && error === null,
    isOutdated,
    isLoadingMore: list.isFetchingNextPage,
    error: data === undefined ? error : null,
    moreError: data !== undefined && !isOutdated ? error : null,
    loadMore,
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
  }
}

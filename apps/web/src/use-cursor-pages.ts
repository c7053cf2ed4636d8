import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'

/** A page of a list that is read by cursor. */
export interface CursorPage<Row> {
  readonly data: readonly Row[]
  readonly meta: { readonly next_after: string | null }
}

/** A list of which the server sends one page after another. */
export interface PagedList<Row> {
  /** Those that have arrived. */
  readonly rows: readonly Row[]
  /** Whether the server has more, as many as they may be. */
  readonly hasMore: boolean
  readonly isLoading: boolean
  /** Whether the rows are those of the filter before. */
  readonly isOutdated: boolean
  readonly isLoadingMore: boolean
  /** Nothing has arrived. */
  readonly error: Error | null
  /** Some rows have arrived, and more, or newer ones, could not be loaded. */
  readonly moreError: Error | null
  readonly loadMore: () => void
  readonly retry: () => void
}

/** For lists of which no event tells. */
const REFRESH_MS = 30_000

/** Whoever has scrolled through many pages looks for something old: they are not read again and again. */
const isShort = ({ state }: { state: { data: { pages: readonly unknown[] } | undefined } }): boolean =>
  (state.data?.pages.length ?? 0) <= 1

/** The options of every list that is read by cursor, for `infiniteQueryOptions`. */
export const cursorPages = {
  initialPageParam: null as string | null,
  getNextPageParam: (page: CursorPage<unknown>): string | null => page.meta.next_after,
  refetchInterval: (query: Parameters<typeof isShort>[0]) => (isShort(query) ? REFRESH_MS : false),
  refetchOnWindowFocus: isShort,
  refetchOnReconnect: isShort,
} as const

/** Presents the pages of an infinite query as one list. */
export function useCursorPages<Row>(query: UseInfiniteQueryResult<InfiniteData<CursorPage<Row>>>): PagedList<Row> {
  const { data, error, fetchNextPage, hasNextPage, isFetching, isFetchNextPageError, refetch } = query
  const pages = data?.pages
  const rows = useMemo(() => pages?.flatMap((page) => page.data) ?? [], [pages])
  const canLoadMore = hasNextPage && !isFetching && !isFetchNextPageError
  const loadMore = useCallback(() => {
    if (canLoadMore) void fetchNextPage({ cancelRefetch: false })
  }, [canLoadMore, fetchNextPage])
  return {
    rows,
    hasMore: hasNextPage,
    isLoading: data === undefined && error === null,
    isOutdated: query.isPlaceholderData,
    isLoadingMore: query.isFetchingNextPage,
    error: data === undefined ? error : null,
    moreError: data === undefined ? null : error,
    loadMore,
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
  }
}

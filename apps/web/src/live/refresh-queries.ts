import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Reads queries again that may miss changes. Those that are being read now may have been read before the change: they are
 * read again afterwards, instead of being interrupted, so that a long load always ends.
 * @param since nothing has changed after this time (milliseconds since 1970): what was requested later is current
 */
export function refreshQueries(queryClient: QueryClient, queryKey: QueryKey, since = Infinity): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey })) {
    if ((requestedAt.get(query) ?? -Infinity) > since) continue
    const filter = { queryKey: query.queryKey, exact: true } as const
    const refresh = () => void queryClient.invalidateQueries(filter, { cancelRefetch: false })
    if (query.state.fetchStatus === 'fetching') waitUntilIdle(queryClient, query, refresh)
    else refresh()
  }
}

/** When the last load of each query began. */
const requestedAt = new WeakMap<Query, number>()

/** Remembers from now on when queries are loaded. */
export function trackRequestTimes(queryClient: QueryClient): void {
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'fetch') requestedAt.set(event.query, Date.now())
  })
}

/** Queries that wait for their load; one more load per query is enough. */
const waiting = new WeakSet<Query>()

function waitUntilIdle(queryClient: QueryClient, query: Query, then: () => void): void {
  if (waiting.has(query)) return
  waiting.add(query)
  const stop = queryClient.getQueryCache().subscribe((event) => {
    if (event.query !== query || query.state.fetchStatus === 'fetching') return
    stop()
    waiting.delete(query)
    // A failed load is shown with "Try again".
    if (event.type !== 'removed' && query.state.status === 'success') then()
  })
}

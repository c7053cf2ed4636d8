import { QueryClient } from '@tanstack/react-query'

import { trackRequestTimes } from './live/refresh-queries.ts'

/**
 * Creates the cache of the server's data. Nothing is retried here, because the client of the API retries. Requests are sent
 * while the browser thinks that it is offline, so that pages show what failed instead of loading forever.
 */
export function createQueryClient(): QueryClient {
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: { retry: false, networkMode: 'always', refetchOnReconnect: true, staleTime: 30_000 },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  trackRequestTimes(queryClient)
  return queryClient
}

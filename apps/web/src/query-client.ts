import { QueryClient } from '@tanstack/react-query'

/**
 * Creates the cache of the server's data. Nothing is retried here, because the client of the API retries. Requests are sent
 * while the browser thinks that it is offline, so that pages show what failed instead of loading forever.
 */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: false, networkMode: 'always', refetchOnReconnect: true, staleTime: 30_000 },
      mutations: { retry: false, networkMode: 'always' },
    },
  })

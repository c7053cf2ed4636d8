import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

import { RequestFailed } from './request-failed.ts'

interface QueryClientOptions {
  /** Called when the session has ended: the page shows the dialog. */
  readonly onSessionEnded: () => void
  /** Called when the server refused something: the permissions of the user may have changed. */
  readonly onForbidden: () => void
}

/**
 * Creates the cache of the server's data. Nothing is retried here, because the client of the API retries. Requests are sent
 * while the browser thinks that it is offline, so that pages show what failed instead of loading forever.
 */
export function createQueryClient({ onSessionEnded, onForbidden }: QueryClientOptions): QueryClient {
  const onError = (error: unknown) => {
    if (!(error instanceof RequestFailed) || error.reply.kind !== 'problem') return
    if (error.reply.status === 401) onSessionEnded()
    if (error.reply.status === 403) onForbidden()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { retry: false, networkMode: 'always', refetchOnReconnect: true, staleTime: 30_000 },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

import { type Query, QueryClient } from '@tanstack/react-query'

import { trackRequestTimes } from './live/refresh-queries.ts'
import { RequestFailed } from './request-failed.ts'

/** A server restarts within seconds. */
const RECOVERY_MS = 5000

/**
 * Creates the cache of the server's data. Nothing is retried here, because the client of the API retries. Requests are sent
 * while the browser thinks that it is offline, so that pages show what failed instead of loading forever. What failed because
 * the server could not be reached is read again until it can.
 */
export function createQueryClient(): QueryClient {
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 30_000,
        refetchInterval: getRecoveryMs,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  trackRequestTimes(queryClient)
  return queryClient
}

function getRecoveryMs({ state: { status, error } }: Query): number | false {
  if (status !== 'error' || !(error instanceof RequestFailed)) return false
  const isTransient = error.reply.kind !== 'problem' || [502, 503, 504].includes(error.reply.status)
  return isTransient ? RECOVERY_MS : false
}

import type { QueryClient, QueryKey } from '@tanstack/react-query'

import { queryKeys } from '../query-keys.ts'
import { refreshQueries } from './refresh-queries.ts'

/** The shortest time between two loads of a page. While CI uploads, there are several events in a second. */
const MIN_INTERVAL_MS = 1000

interface Refreshing {
  lastAt: number
  timer?: ReturnType<typeof setTimeout> | undefined
}

const refreshing = new WeakMap<QueryClient, Map<string, Refreshing>>()

/** Reads what pages show of the tests of a project, and of a run, again. */
export function refreshTests(queryClient: QueryClient, projectId: string | undefined, runId?: string): void {
  if (projectId !== undefined) {
    refreshSoon(queryClient, queryKeys.allTests(projectId))
    refreshSoon(queryClient, queryKeys.allTestDetails(projectId))
  }
  if (runId === undefined) return
  refreshSoon(queryClient, queryKeys.allRunTests(runId))
  refreshSoon(queryClient, queryKeys.allRunTestDetails(runId))
  refreshSoon(queryClient, queryKeys.suiteErrors(runId))
  refreshSoon(queryClient, queryKeys.leftOut(runId))
}

/** At once, or after a while if it was refreshed a moment ago. Lists of many pages are read less often. */
function refreshSoon(queryClient: QueryClient, queryKey: QueryKey): void {
  const states = refreshing.get(queryClient) ?? new Map<string, Refreshing>()
  refreshing.set(queryClient, states)
  const name = JSON.stringify(queryKey)
  const state = states.get(name) ?? { lastAt: -Infinity }
  states.set(name, state)
  if (state.timer !== undefined) return
  const refresh = () => {
    state.timer = undefined
    state.lastAt = Date.now()
    refreshQueries(queryClient, queryKey)
  }
  const waitMs = state.lastAt + MIN_INTERVAL_MS * countPages(queryClient, queryKey) - Date.now()
  if (waitMs <= 0) refresh()
  else state.timer = setTimeout(refresh, waitMs)
}

function countPages(queryClient: QueryClient, queryKey: QueryKey): number {
  const queries = queryClient.getQueryCache().findAll({ queryKey, type: 'active' })
  const counts = queries.map(({ state }) => (state.data as { pages?: unknown[] } | undefined)?.pages?.length ?? 1)
  return counts.reduce((sum, count) => sum + count, 0)
}

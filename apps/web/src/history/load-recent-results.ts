import type { Client } from '@caseward/client'
import { listRecentResults, type RecentResult } from '@caseward/client/endpoints'
import type { Query, QueryClient } from '@tanstack/react-query'

import { queryKeys } from '../query-keys.ts'
import { request } from '../request-failed.ts'

type Histories = ReadonlyMap<string, readonly RecentResult[]>

/** Histories that have changed on the server. They are shown until the new ones have arrived. */
const stale = new WeakSet<readonly RecentResult[]>()

/**
 * Has histories loaded again for the rows that are visible.
 * @param caseIds null for all
 * @param changedRunId the run whose results have changed: they are not in the histories before it
 */
export function expireRecentResults(
  queryClient: QueryClient,
  projectId: string,
  caseIds: ReadonlySet<string> | null,
  changedRunId: string | null = null,
): void {
  const predicate = ({ queryKey }: Query) => changedRunId === null || queryKey.at(-1) !== changedRunId
  const filters = { queryKey: queryKeys.allRecentResults(projectId), predicate }
  queryClient.setQueriesData<Histories>(filters, (known) => {
    if (known === undefined) return known
    for (const [id, results] of known) if (caseIds === null || caseIds.has(id)) stale.add(results)
    // A new map: lists ask again.
    return new Map(known)
  })
}

/** The server returns the results of this many test cases at once. */
const MAX_IDS = 200
/** Rows that a history strip shows. */
const LIMIT = 10
/** Histories that are kept; about 1 KB each. */
const MAX_KEPT = 5000

export interface RecentResultsLoader {
  /**
   * Loads the histories of visible rows that are not loaded yet, in one request for all rows that are asked for within a
   * moment. They appear in `queries.recentResults`. Those that fail are asked for again with the next call.
   */
  load(caseIds: readonly string[]): void
  /** Forgets what is asked for. */
  stop(): void
}

/**
 * Creates the loader of a list's history strips.
 * @param beforeRunId only results of runs before this one; null for all
 * @param delayMs fast scrolling passes rows that are not worth a request
 */
export function createRecentResultsLoader(
  queryClient: QueryClient,
  client: Pick<Client, 'call'>,
  projectId: string,
  beforeRunId: string | null = null,
  delayMs = 60,
): RecentResultsLoader {
  const queryKey = queryKeys.recentResults(projectId, beforeRunId)
  const getKnown = () => queryClient.getQueryData<Histories>(queryKey)
  const loading = new Set<string>()
  let wanted: readonly string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  async function loadBatch(ids: readonly string[]): Promise<void> {
    for (const id of ids) loading.add(id)
    try {
      const { data } = await request(client, listRecentResults, {
        params: { project_id: projectId },
        query: { test_case_ids: ids, limit: LIMIT, ...(beforeRunId === null ? {} : { before_run: beforeRunId }) },
      })
      const entries = data.data.map(({ test_case_id, results }) => [test_case_id, results] as const)
      queryClient.setQueryData(queryKey, new Map([...(getKnown() ?? []), ...entries].slice(-MAX_KEPT)))
    } catch {
      // A row without a strip is usable. The list itself shows failures of the server.
    } finally {
      for (const id of ids) loading.delete(id)
    }
  }
  function loadWanted(): void {
    const known = getKnown()
    const isCurrent = (id: string) => {
      const results = known?.get(id)
      return results !== undefined && !stale.has(results)
    }
    const missing = [...new Set(wanted)].filter((id) => !isCurrent(id) && !loading.has(id))
    for (let start = 0; start < missing.length; start += MAX_IDS) void loadBatch(missing.slice(start, start + MAX_IDS))
  }

  return {
    load(caseIds) {
      wanted = caseIds
      clearTimeout(timer)
      timer = setTimeout(loadWanted, delayMs)
    },
    stop: () => clearTimeout(timer),
  }
}

import type { RecentResult } from '@caseward/client/endpoints'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'

import { api, queries } from '../api.ts'
import { createRecentResultsLoader } from './load-recent-results.ts'

/**
 * Loads the history strips of rows.
 * @param visibleIds test cases whose rows are visible, and some before and after
 * @returns results by test case id, newest first
 */
export function useRecentResults(
  projectId: string,
  visibleIds: readonly string[],
  beforeRunId: string | null = null,
): ReadonlyMap<string, readonly RecentResult[]> {
  const queryClient = useQueryClient()
  const loader = useMemo(
    () => createRecentResultsLoader(queryClient, api, projectId, beforeRunId),
    [queryClient, projectId, beforeRunId],
  )
  const { data } = useQuery(queries.recentResults(projectId, beforeRunId))
  // `data` also changes when a live update makes results out of date.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- then, they are loaded again
  useEffect(() => loader.load(visibleIds), [loader, visibleIds, data])
  useEffect(() => () => loader.stop(), [loader])
  return data ?? none
}

const none: ReadonlyMap<string, readonly RecentResult[]> = new Map()

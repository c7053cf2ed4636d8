import type { CreateQuarantines, EndQuarantine, UpdateQuarantine } from '@caseward/client/endpoints'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { api } from '../../api.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { createQuarantines, endQuarantine, updateQuarantine } from './quarantine-endpoints.ts'
import { quarantinesKey } from './quarantine-queries.ts'

/** Adds, changes and ends quarantines. All throw `RequestFailed`. */
export function useQuarantineActions(project_id: string) {
  const queryClient = useQueryClient()
  return useMemo(() => {
    const refresh = () => refreshQuarantined(queryClient, project_id)
    return {
      async create(body: CreateQuarantines['body']): Promise<void> {
        await request(api, createQuarantines, { params: { project_id }, body })
        refresh()
      },
      async change(quarantine_id: string, body: UpdateQuarantine['body']): Promise<void> {
        await request(api, updateQuarantine, { params: { project_id, quarantine_id }, body })
        refresh()
      },
      async end(quarantine_id: string, body: EndQuarantine['body']): Promise<void> {
        await request(api, endQuarantine, { params: { project_id, quarantine_id }, body })
        refresh()
      },
    }
  }, [queryClient, project_id])
}

/** Reads again what says whether a test is quarantined. */
function refreshQuarantined(queryClient: QueryClient, projectId: string): void {
  for (const key of [quarantinesKey(projectId), queryKeys.allTests(projectId), queryKeys.allTestDetails(projectId)])
    refreshQueries(queryClient, key)
  for (const { queryKey } of queryClient.getQueryCache().findAll({ queryKey: ['run'] }))
    if (queryKey[2] === 'evaluation') refreshQueries(queryClient, queryKey)
}

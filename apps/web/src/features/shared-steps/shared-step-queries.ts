import type { SharedStep, SharedStepListItem, SharedStepUsage, SharedStepUse } from '@caseward/client/endpoints'
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { refreshQueries } from '../../live/refresh-queries.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import {
  getSharedStep,
  getSharedStepUsage,
  listSharedStepUses,
  listSharedStepVersions,
  listSharedSteps,
} from './shared-step-endpoints.ts'

/** The shared steps of a project by title, without their steps. */
export const sharedStepsQuery = (project_id: string) =>
  queryOptions({
    queryKey: queryKeys.sharedSteps(project_id),
    queryFn: async ({ signal }) =>
      (await request(api, listSharedSteps, { params: { project_id }, signal })).data
        .data as readonly SharedStepListItem[],
  })

export const sharedStepQuery = (project_id: string, shared_step_id: string) =>
  queryOptions({
    queryKey: queryKeys.sharedStep(project_id, shared_step_id),
    queryFn: async ({ signal }): Promise<SharedStep> =>
      (await request(api, getSharedStep, { params: { project_id, shared_step_id }, signal })).data.data,
  })

/** All test cases that use a shared step. */
export const sharedStepUsesQuery = (project_id: string, shared_step_id: string) =>
  queryOptions({
    queryKey: queryKeys.sharedStepUses(project_id, shared_step_id),
    queryFn: async ({ signal }): Promise<readonly SharedStepUse[]> => {
      const uses: SharedStepUse[] = []
      let after: string | null = null
      do {
        const query: { after?: string } = after === null ? {} : { after }
        const { data } = await request(api, listSharedStepUses, {
          params: { project_id, shared_step_id },
          query,
          signal,
        })
        uses.push(...data.data)
        after = data.meta.next_after
      } while (after !== null)
      return uses
    },
  })

/** The folders and the runs in progress with test cases that use a shared step. */
export const sharedStepUsageQuery = (project_id: string, shared_step_id: string) =>
  queryOptions({
    queryKey: queryKeys.sharedStepUsage(project_id, shared_step_id),
    queryFn: async ({ signal }): Promise<SharedStepUsage> =>
      (await request(api, getSharedStepUsage, { params: { project_id, shared_step_id }, signal })).data.data,
  })

const versionsKey = (projectId: string, id: string) => [...queryKeys.sharedStep(projectId, id), 'versions']

/** The versions of a shared step, the newest first. */
export const sharedStepVersionsQuery = (project_id: string, shared_step_id: string) =>
  infiniteQueryOptions({
    queryKey: versionsKey(project_id, shared_step_id),
    initialPageParam: null as number | null,
    getNextPageParam: (page: { meta: { next_after: number | null } }): number | null => page.meta.next_after,
    queryFn: async ({ pageParam, signal }) => {
      const query = pageParam === null ? {} : { after: pageParam }
      return (await request(api, listSharedStepVersions, { params: { project_id, shared_step_id }, query, signal }))
        .data
    },
  })

/** A shared step as it is or was in a version. */
export const sharedStepVersionQuery = (project_id: string, shared_step_id: string, version: number) =>
  queryOptions({
    queryKey: [...versionsKey(project_id, shared_step_id), version],
    queryFn: async ({ signal }): Promise<SharedStep> => {
      const params = { project_id, shared_step_id }
      return (await request(api, getSharedStep, { params, query: { version }, signal })).data.data
    },
  })

/** Returns a function that reads shared steps and test cases again after they were changed together. */
export function useRefreshSharedSteps(projectId: string): () => void {
  const queryClient = useQueryClient()
  return () => {
    refreshQueries(queryClient, queryKeys.sharedSteps(projectId))
    refreshQueries(queryClient, queryKeys.allSharedStepUsage(projectId))
    refreshQueries(queryClient, [...queryKeys.inProject(projectId), 'case'])
  }
}

import { listActivity, listUnstableTestCases } from '@caseward/client/endpoints'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'

/** Results change all the time while a run is in progress: what is counted from them is read again after this time. */
export const REFRESH_MS = 30_000

/** Test cases in each list, unless all are shown. */
export const SHOWN_UNSTABLE = 6
/** The most that the server returns. */
export const MAX_UNSTABLE = 100

export const unstableCasesQuery = (project_id: string, per_page: number) =>
  queryOptions({
    queryKey: queryKeys.unstableCases(project_id, per_page),
    queryFn: async ({ signal }) =>
      (await request(api, listUnstableTestCases, { params: { project_id }, query: { per_page }, signal })).data.data,
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })

export const activityQuery = (project_id: string) =>
  queryOptions({
    queryKey: queryKeys.activity(project_id),
    queryFn: async ({ signal }) => (await request(api, listActivity, { params: { project_id }, signal })).data.data,
    refetchInterval: REFRESH_MS,
  })

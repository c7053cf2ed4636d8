import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { getCaseVersion, listCaseVersions } from './version-endpoints.ts'

/** Below the key of the test case: live events refresh the list with it. */
const getKey = (projectId: string, caseId: string) => [...queryKeys.case(projectId, caseId), 'versions']

/** The versions of a test case, the newest first. */
export const versionsOf = (project_id: string, test_case_id: string) =>
  infiniteQueryOptions({
    queryKey: getKey(project_id, test_case_id),
    initialPageParam: null as number | null,
    getNextPageParam: (page: { meta: { next_after: number | null } }): number | null => page.meta.next_after,
    queryFn: async ({ pageParam, signal }) => {
      const query = pageParam === null ? {} : { after: pageParam }
      return (await request(api, listCaseVersions, { params: { project_id, test_case_id }, query, signal })).data
    },
  })

/** A test case as it was. A version that is no longer the newest does not change. */
export const versionOf = (project_id: string, test_case_id: string, version: number) =>
  queryOptions({
    queryKey: [...getKey(project_id, test_case_id), version],
    queryFn: async ({ signal }) => {
      const params = { project_id, test_case_id, version: String(version) }
      return (await request(api, getCaseVersion, { params, signal })).data.data
    },
  })

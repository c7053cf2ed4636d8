import type { Quarantine, TestStabilityDetail } from '@caseward/client/endpoints'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { cursorPages } from '../../use-cursor-pages.ts'
import { getTestStability, listQuarantines } from './quarantine-endpoints.ts'

export type { Quarantine, TestStabilityDetail }

/** The lists of quarantines of a project. */
export const quarantinesKey = (projectId: string) => [...queryKeys.inProject(projectId), 'quarantines']

const PER_PAGE = 50

/** Which quarantines are listed. */
export interface QuarantineFilter {
  readonly active: boolean
  readonly owner_id?: string
  readonly test_id?: string
  readonly ending_within_days?: number
}

/** Quarantines of a project, the newest first. */
export const quarantinesQuery = (project_id: string, filter: QuarantineFilter) =>
  infiniteQueryOptions({
    ...cursorPages,
    queryKey: [...quarantinesKey(project_id), filter],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filter, per_page: PER_PAGE, ...(pageParam === null ? {} : { after: pageParam }) }
      return (await request(api, listQuarantines, { params: { project_id }, query, signal })).data
    },
  })

/** How reliable a test is, and why. Uploads refresh it with the test. */
export const stabilityQuery = (project_id: string, test_id: string) =>
  queryOptions({
    queryKey: [...queryKeys.test(project_id, test_id), 'stability'],
    queryFn: async ({ signal }) =>
      (await request(api, getTestStability, { params: { project_id, test_id }, signal })).data.data,
  })

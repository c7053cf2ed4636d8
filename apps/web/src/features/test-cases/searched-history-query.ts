import { listTestCaseResults, type ResultStatus } from '@caseward/client/endpoints'
import { infiniteQueryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'

export interface HistoryFilter {
  /** Empty for all. */
  readonly statuses: readonly ResultStatus[]
  /** '' for all. */
  readonly branch: string
}

const PER_PAGE = 50

/** The results of a test case that a filter selects, newest runs first. */
export const searchedHistoryQuery = (project_id: string, test_case_id: string, { statuses, branch }: HistoryFilter) =>
  infiniteQueryOptions({
    queryKey: queryKeys.searchedCaseResults(project_id, test_case_id, statuses, branch),
    queryFn: async ({ signal, pageParam: after }) => {
      const query = {
        per_page: PER_PAGE,
        ...(statuses.length === 0 ? {} : { status: [...statuses] }),
        ...(branch === '' ? {} : { branch }),
        ...(after === null ? {} : { after }),
      }
      const params = { project_id, test_case_id }
      const { data, meta } = (await request(api, listTestCaseResults, { params, query, signal })).data
      return 'next_after' in meta
        ? { data, nextAfter: meta.next_after, searchedCount: meta.searched_runs }
        : { data, nextAfter: null, searchedCount: meta.total }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextAfter }) => nextAfter,
  })

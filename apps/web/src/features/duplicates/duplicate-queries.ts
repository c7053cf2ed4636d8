import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { findSimilarTestCases, listDuplicates } from './duplicate-endpoints.ts'

/** Groups of test cases with the same title. Below the key of searches: live events refresh them. */
export const duplicatesOf = (project_id: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.searchedCases(project_id, { are: 'duplicates' }),
    initialPageParam: null as string | null,
    getNextPageParam: (page: { meta: { next_after: string | null } }): string | null => page.meta.next_after,
    queryFn: async ({ pageParam, signal }) => {
      const query = pageParam === null ? {} : { after: pageParam }
      return (await request(api, listDuplicates, { params: { project_id }, query, signal })).data
    },
  })

/** The test cases that are like one with this title. */
export const similarTo = (project_id: string, title: string) =>
  queryOptions({
    queryKey: queryKeys.searchedCases(project_id, { similarTo: title }),
    queryFn: async ({ signal }) =>
      (await request(api, findSimilarTestCases, { params: { project_id }, body: { title }, signal })).data,
  })

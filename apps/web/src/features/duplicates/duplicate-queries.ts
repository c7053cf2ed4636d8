import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { findSimilarForTests, findSimilarTestCases, listDuplicates } from './duplicate-endpoints.ts'

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

/** Tests by their ids, or all unmatched ones of a run. */
export type ChosenTests = { readonly test_ids: readonly string[] } | { readonly all_unmatched_of_run: string }

/** The test cases that are like those that tests would get, some tests at a time. */
export const similarForTests = (project_id: string, chosen: ChosenTests) =>
  infiniteQueryOptions({
    queryKey: queryKeys.searchedCases(project_id, { similarForTests: chosen }),
    initialPageParam: null as string | null,
    getNextPageParam: (page: { meta: { next_after: string | null } }): string | null => page.meta.next_after,
    queryFn: async ({ pageParam, signal }) => {
      const tests = 'test_ids' in chosen ? { test_ids: [...chosen.test_ids] } : chosen
      const body = pageParam === null ? tests : { ...tests, after: pageParam }
      return (await request(api, findSimilarForTests, { params: { project_id }, body, signal })).data
    },
  })

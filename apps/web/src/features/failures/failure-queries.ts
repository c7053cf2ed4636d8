import type { Evaluation, FailureGroup, ListedVerdict, TestVerdict } from '@caseward/client/endpoints'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { cursorPages } from '../../use-cursor-pages.ts'
import { getEvaluation, listRunFailureGroups, listVerdicts } from './failure-endpoints.ts'

export type { Evaluation, FailureGroup, ListedVerdict, TestVerdict }

/** How long an evaluation that does not know all uploads is waited for. */
const OUTDATED_MS = 2000

/** What the outcomes of a run mean. It is read again until it knows all uploads. */
export const evaluationQuery = (run_id: string) =>
  queryOptions({
    queryKey: queryKeys.evaluation(run_id),
    queryFn: async ({ signal }) => (await request(api, getEvaluation, { params: { run_id }, signal })).data.data,
    refetchInterval: ({ state }) => (state.data?.is_current === false ? OUTDATED_MS : false),
  })

const GROUPS_PER_PAGE = 20
const TESTS_PER_PAGE = 20

/** The failures of a run by their cause, those with most tests first. */
export const failureGroupsQuery = (run_id: string) =>
  infiniteQueryOptions({
    ...cursorPages,
    // Events say when they change.
    refetchInterval: false,
    queryKey: [...queryKeys.evaluation(run_id), 'groups'],
    queryFn: async ({ pageParam, signal }) => {
      const query = { per_page: GROUPS_PER_PAGE, ...(pageParam === null ? {} : { after: pageParam }) }
      return (await request(api, listRunFailureGroups, { params: { run_id }, query, signal })).data
    },
  })

/** Which verdicts of a run are listed. */
export type VerdictFilter = { readonly signature: string } | { readonly verdict: ListedVerdict }

/** Tests of a run with their verdicts, page by page. */
export const verdictsQuery = (run_id: string, filter: VerdictFilter) =>
  infiniteQueryOptions({
    ...cursorPages,
    refetchInterval: false,
    queryKey: [...queryKeys.evaluation(run_id), 'verdicts', filter],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filter, per_page: TESTS_PER_PAGE, ...(pageParam === null ? {} : { after: pageParam }) }
      return (await request(api, listVerdicts, { params: { run_id }, query, signal })).data
    },
  })

/** The verdict of one test of a run; null for one that simply passed. */
export const verdictOfTestQuery = (run_id: string, test_id: string) =>
  queryOptions({
    queryKey: [...queryKeys.evaluation(run_id), 'test', test_id],
    queryFn: async ({ signal }) =>
      (await request(api, listVerdicts, { params: { run_id }, query: { test_id }, signal })).data.data[0] ?? null,
  })

import {
  getRunTest,
  getTest,
  listLeftOut,
  listRunTests,
  listSuiteErrors,
  listTestOutcomes,
  listTests,
} from '@caseward/client/endpoints'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import type { TestPage } from './test-row.ts'
import type { TestView } from './test-words.ts'

/** The server sends so many with one response. */
const PER_PAGE = 500
/** Tests of one result or test case that panels show. */
const MAX_IN_PANEL = 100

const paged = { initialPageParam: null as string | null, getNextPageParam: (page: TestPage) => page.meta.next_after }
const toQuery = (after: string | null, { q }: Pick<TestView, 'q'>) => ({
  per_page: PER_PAGE,
  ...(after === null ? {} : { after }),
  ...(q === '' ? {} : { search: q }),
})

/** The options of every query about automated tests. All throw `RequestFailed`. */
export const testQueries = {
  /** The tests of a run, page by page. */
  inRun: (run_id: string, view: TestView) =>
    infiniteQueryOptions({
      ...paged,
      queryKey: queryKeys.runTests(run_id, view),
      queryFn: async ({ pageParam, signal }): Promise<TestPage> => {
        const { match, outcome } = view
        const query = {
          ...toQuery(pageParam, view),
          ...(match === 'all' ? {} : { matched: match === 'matched' }),
          ...(outcome === 'flaky' ? { flaky: true } : outcome === 'all' ? {} : { outcome }),
        }
        return (await request(api, listRunTests, { params: { run_id }, query, signal })).data
      },
    }),
  /** The tests of a project, page by page. */
  inProject: (project_id: string, view: TestView) =>
    infiniteQueryOptions({
      ...paged,
      queryKey: queryKeys.tests(project_id, view),
      queryFn: async ({ pageParam, signal }): Promise<TestPage> => {
        const linked = view.match === 'all' ? {} : { linked: view.match === 'matched' }
        const query = { ...toQuery(pageParam, view), ...linked }
        return (await request(api, listTests, { params: { project_id }, query, signal })).data
      },
    }),
  ofResult: (run_id: string, result_id: string) =>
    queryOptions({
      queryKey: queryKeys.runTests(run_id, { result_id }),
      queryFn: async ({ signal }) => {
        const query = { result_id, per_page: MAX_IN_PANEL }
        return (await request(api, listRunTests, { params: { run_id }, query, signal })).data
      },
    }),
  ofCase: (project_id: string, test_case_id: string) =>
    queryOptions({
      queryKey: queryKeys.tests(project_id, { test_case_id }),
      queryFn: async ({ signal }) => {
        const query = { test_case_id, per_page: MAX_IN_PANEL }
        return (await request(api, listTests, { params: { project_id }, query, signal })).data
      },
    }),
  /** A test in a run, with its attempts. */
  runTest: (run_id: string, test_id: string) =>
    queryOptions({
      queryKey: queryKeys.runTest(run_id, test_id),
      queryFn: async ({ signal }) =>
        (await request(api, getRunTest, { params: { run_id, test_id }, signal })).data.data,
    }),
  /** A test of a project, with suggestions. */
  test: (project_id: string, test_id: string) =>
    queryOptions({
      queryKey: queryKeys.test(project_id, test_id),
      queryFn: async ({ signal }) =>
        (await request(api, getTest, { params: { project_id, test_id }, signal })).data.data,
    }),
  /** The latest 20 runs of a test. */
  outcomes: (project_id: string, test_id: string) =>
    queryOptions({
      queryKey: queryKeys.testOutcomes(project_id, test_id),
      queryFn: async ({ signal }) =>
        (await request(api, listTestOutcomes, { params: { project_id, test_id }, query: { per_page: 20 }, signal }))
          .data,
    }),
  /** What users have left out of a run. */
  leftOut: (run_id: string) =>
    queryOptions({
      queryKey: queryKeys.leftOut(run_id),
      queryFn: async ({ signal }) => (await request(api, listLeftOut, { params: { run_id }, signal })).data.data,
    }),
  suiteErrors: (run_id: string) =>
    queryOptions({
      queryKey: queryKeys.suiteErrors(run_id),
      queryFn: async ({ signal }) => (await request(api, listSuiteErrors, { params: { run_id }, signal })).data.data,
    }),
}

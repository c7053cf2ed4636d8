import type { Client, Success } from '@caseward/client'
import {
  type FieldFilters,
  getMe,
  getProject,
  getResult,
  getRun,
  getTestCase,
  listFolders,
  listIdentities,
  listMilestones,
  listMyProjects,
  listMyWork,
  listPeople,
  listPersonalTokens,
  listResultRows,
  listRuns,
  listSessions,
  listTags,
  listTestCaseResults,
  listTestCaseRows,
  type Priority,
  type RecentResult,
  type ResultRow,
  type RunSort,
  type RunStatus,
  type TestCaseRow,
  type TestCaseType,
} from '@caseward/client/endpoints'
import { type QueryClient, queryOptions, skipToken } from '@tanstack/react-query'

import { queryKeys } from './query-keys.ts'
import { request } from './request-failed.ts'
import { loadRowIndex, type RowSource } from './row-index/load-row-index.ts'
import type { RowIndex } from './row-index/row-index.ts'

/** Filters of the runs page. */
export interface RunFilter {
  readonly status?: RunStatus | undefined
  readonly milestone_id?: string | undefined
  readonly sub_milestones?: boolean | undefined
  readonly search?: string | undefined
  readonly created_since?: string | undefined
  readonly fields?: 'evaluation' | undefined
  readonly sort?: RunSort | undefined
  readonly descending?: boolean | undefined
  readonly page?: number | undefined
  readonly per_page?: number | undefined
}

/** Filters of the cases page, for the server while the index is not complete. */
export interface CaseFilter extends FieldFilters {
  readonly columns?: string | undefined
  readonly search?: string | undefined
  readonly folder_id?: string | undefined
  readonly priority?: readonly Priority[] | undefined
  readonly type?: readonly TestCaseType[] | undefined
  readonly tag?: readonly string[] | undefined
  readonly owner_id?: readonly string[] | undefined
}

/**
 * Creates the options of every query. All throw `RequestFailed`.
 *
 * `cases` and `results` load an index: the first page is shown at once, the rest follows in the background, and when they
 * are invalidated, only what has changed is read.
 */
export function createQueries(client: Pick<Client, 'call'>) {
  return {
    me: () =>
      queryOptions({
        queryKey: queryKeys.me(),
        queryFn: async ({ signal }) => (await request(client, getMe, { signal })).data.data,
      }),
    projects: () =>
      queryOptions({
        queryKey: queryKeys.projects(),
        queryFn: async ({ signal }) => (await request(client, listMyProjects, { signal })).data.data,
      }),
    work: () =>
      queryOptions({
        queryKey: queryKeys.work(),
        queryFn: async ({ signal }) => (await request(client, listMyWork, { signal })).data.data,
      }),
    project: (project_id: string) =>
      queryOptions({
        queryKey: queryKeys.project(project_id),
        queryFn: async ({ signal }) =>
          (await request(client, getProject, { params: { project_id }, signal })).data.data,
      }),
    cases: (projectId: string) =>
      queryOptions({
        queryKey: queryKeys.cases(projectId),
        queryFn: ({ client: queryClient, signal }) =>
          loadIndex(queryClient, queryKeys.cases(projectId), createCaseSource(client, projectId, signal)),
        staleTime: INDEX_STALE_MS,
        structuralSharing: false,
      }),
    /** Up to 100 test cases that match, found by the server. */
    searchedCases: (project_id: string, filter: CaseFilter) =>
      queryOptions({
        queryKey: queryKeys.searchedCases(project_id, filter),
        queryFn: async ({ signal }) => {
          const query = { ...withoutUndefined(filter), fields: 'row', per_page: 100 } as const
          const { data } = await request(client, listTestCaseRows, { params: { project_id }, query, signal })
          return { rows: data.data, total: data.meta.total }
        },
      }),
    case: (project_id: string, test_case_id: string) =>
      queryOptions({
        queryKey: queryKeys.case(project_id, test_case_id),
        queryFn: async ({ signal }) =>
          (await request(client, getTestCase, { params: { project_id, test_case_id }, signal })).data.data,
      }),
    caseResults: (project_id: string, test_case_id: string, page = 1) =>
      queryOptions({
        queryKey: queryKeys.caseResults(project_id, test_case_id, page),
        queryFn: async ({ signal }) => {
          const params = { project_id, test_case_id }
          const query = { page, per_page: 50 }
          const { data, meta } = (await request(client, listTestCaseResults, { params, query, signal })).data
          // Only a search has no total.
          return { data, total: 'total' in meta ? meta.total : data.length }
        },
      }),
    folders: (project_id: string) =>
      queryOptions({
        queryKey: queryKeys.folders(project_id),
        queryFn: async ({ signal }) =>
          (await request(client, listFolders, { params: { project_id }, signal })).data.data,
      }),
    tags: (project_id: string) =>
      queryOptions({
        queryKey: queryKeys.tags(project_id),
        queryFn: async ({ signal }) => (await request(client, listTags, { params: { project_id }, signal })).data.data,
      }),
    people: (project_id: string) =>
      queryOptions({
        queryKey: queryKeys.people(project_id),
        queryFn: async ({ signal }) =>
          (await request(client, listPeople, { params: { project_id }, signal })).data.data,
      }),
    /** The first 100 milestones, for filters and new runs. */
    milestones: (project_id: string) =>
      queryOptions({
        queryKey: queryKeys.milestones(project_id),
        queryFn: async ({ signal }) =>
          (await request(client, listMilestones, { params: { project_id }, query: { per_page: 100 }, signal })).data
            .data,
      }),
    runs: (project_id: string, filter: RunFilter = {}) =>
      queryOptions({
        queryKey: queryKeys.runs(project_id, filter),
        queryFn: async ({ signal }) =>
          (await request(client, listRuns, { params: { project_id }, query: withoutUndefined(filter), signal })).data,
      }),
    run: (run_id: string) =>
      queryOptions({
        queryKey: queryKeys.run(run_id),
        queryFn: async ({ signal }) => (await request(client, getRun, { params: { run_id }, signal })).data.data,
      }),
    results: (runId: string) =>
      queryOptions({
        queryKey: queryKeys.results(runId),
        queryFn: ({ client: queryClient, signal }) =>
          loadIndex(queryClient, queryKeys.results(runId), createResultSource(client, runId, signal)),
        staleTime: INDEX_STALE_MS,
        structuralSharing: false,
      }),
    result: (run_id: string, result_id: string) =>
      queryOptions({
        queryKey: queryKeys.result(run_id, result_id),
        queryFn: async ({ signal }) =>
          (await request(client, getResult, { params: { run_id, result_id }, signal })).data.data,
      }),
    /** By test case id. `loadRecentResults` fills it for the rows that are visible. */
    recentResults: (projectId: string, beforeRunId: string | null = null) =>
      queryOptions<ReadonlyMap<string, readonly RecentResult[]>>({
        queryKey: queryKeys.recentResults(projectId, beforeRunId),
        queryFn: skipToken,
        staleTime: Infinity,
        structuralSharing: false,
      }),
    sessions: () =>
      queryOptions({
        queryKey: queryKeys.sessions(),
        queryFn: async ({ signal }) => (await request(client, listSessions, { signal })).data.data,
      }),
    identities: () =>
      queryOptions({
        queryKey: queryKeys.identities(),
        queryFn: async ({ signal }) => (await request(client, listIdentities, { signal })).data.data,
      }),
    tokens: () =>
      queryOptions({
        queryKey: queryKeys.tokens(),
        queryFn: async ({ signal }) => (await request(client, listPersonalTokens, { signal })).data.data,
      }),
  }
}

/** Live updates keep an index current; it is read again when it is mounted after this time, or invalidated. */
const INDEX_STALE_MS = 60_000

/** The `Date` header has whole seconds, and the server's transactions may be a little older than their response. */
const READ_MARGIN_MS = 2000

/** Loads the index of a query, or what has changed since. */
export function loadIndex<Row extends { readonly id: string }>(
  queryClient: QueryClient,
  queryKey: readonly string[],
  source: RowSource<Row>,
): Promise<RowIndex<Row>> {
  return loadRowIndex(source, {
    getShown: () => queryClient.getQueryData<RowIndex<Row>>(queryKey),
    show: (index) => queryClient.setQueryData<RowIndex<Row>>(queryKey, index),
  })
}

/** The keys of the custom fields that pages show in rows of test cases, by project. */
export const caseColumns = new Map<string, readonly string[]>()

/** Whether a test case is in no list but that of archived ones. */
export const isArchived = ({ archived_at: at }: Pick<TestCaseRow, 'archived_at'>): boolean => typeof at === 'string'

function createCaseSource(client: Pick<Client, 'call'>, project_id: string, signal: AbortSignal) {
  const columns = caseColumns.get(project_id) ?? []
  const chosen = columns.length === 0 ? {} : { columns: columns.join(',') }
  return {
    columns,
    isGone: isArchived,
    async readPage(query: Parameters<RowSource<TestCaseRow>['readPage']>[0]) {
      const archived = query.changed_since === undefined ? {} : ({ archived: 'any' } as const)
      const input = {
        params: { project_id },
        query: { fields: 'row', ...query, ...chosen, ...archived },
        signal,
      } as const
      return toRowPage(await request(client, listTestCaseRows, input))
    },
  }
}

const createResultSource = (client: Pick<Client, 'call'>, run_id: string, signal: AbortSignal) => ({
  async readPage(query: Parameters<RowSource<ResultRow>['readPage']>[0]) {
    const input = { params: { run_id }, query: { fields: 'row', ...query }, signal } as const
    return toRowPage(await request(client, listResultRows, input))
  },
})

/** Converts a response with compact rows. */
export function toRowPage<Row>({
  data,
  headers,
}: Success<number, { data: Row[]; meta: { total: number; next_after: string | null } }>) {
  const date = Date.parse(headers.get('date') ?? '')
  const serverTime = Number.isNaN(date) ? Date.now() : date
  const readAt = new Date(serverTime - READ_MARGIN_MS).toISOString()
  return { rows: data.data, total: data.meta.total, nextAfter: data.meta.next_after, readAt }
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}

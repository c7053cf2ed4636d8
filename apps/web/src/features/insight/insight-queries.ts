import {
  type DriftKind,
  type FailureGroup,
  listTests,
  type SpeedKind,
  type Stability,
} from '@caseward/client/endpoints'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { getTimeZone } from '../../charts/days.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { cursorPages } from '../../use-cursor-pages.ts'
import type { Health, HealthBand } from './describe-band.ts'
import {
  getFailureGroup,
  getHealth,
  getInsightSettings,
  listFailureGroups,
  listDrift,
  listSlowTests,
} from './insight-endpoints.ts'

export type { FailureGroup, Stability }

const insightKey = (projectId: string) => [...queryKeys.inProject(projectId), 'insight']

/** Which runs are counted. */
export interface RunFilter {
  readonly days: number
  readonly branch?: string
  readonly series?: string
}

export interface GroupFilter extends RunFilter {
  readonly sort: 'newest' | 'tests'
  readonly search?: string
}

const GROUPS_PER_PAGE = 50

/** The causes of failures of a project. */
export const groupsQuery = (project_id: string, filter: GroupFilter) =>
  infiniteQueryOptions({
    ...cursorPages,
    queryKey: [...insightKey(project_id), 'groups', filter],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filter, per_page: GROUPS_PER_PAGE, ...(pageParam === null ? {} : { after: pageParam }) }
      return (await request(api, listFailureGroups, { params: { project_id }, query, signal })).data
    },
  })

/** Rows of the heat map. */
const CAUSES = 12
const REFRESH_MS = 60_000

/** The causes of most failing tests, with their days. */
export const causesQuery = (project_id: string, filter: RunFilter) =>
  queryOptions({
    queryKey: [...insightKey(project_id), 'causes', filter],
    refetchInterval: REFRESH_MS,
    queryFn: async ({ signal }) => {
      const query = { ...filter, sort: 'tests', fields: 'days', time_zone: getTimeZone(), per_page: CAUSES } as const
      return (await request(api, listFailureGroups, { params: { project_id }, query, signal })).data.data
    },
  })

/** One cause. */
export const groupQuery = (project_id: string, signature: string, filter: RunFilter) =>
  queryOptions({
    queryKey: [...insightKey(project_id), 'group', signature, filter],
    queryFn: async ({ signal }) => {
      const query = { ...filter, time_zone: getTimeZone() }
      return (await request(api, getFailureGroup, { params: { project_id, signature }, query, signal })).data.data
    },
  })

const TESTS_PER_PAGE = 50

/** Tests that are so unreliable, those with most evidence first. */
export const unreliableTestsQuery = (project_id: string, stability: Stability) =>
  infiniteQueryOptions({
    ...cursorPages,
    // Uploads refresh it with the lists of tests.
    queryKey: queryKeys.tests(project_id, { stability, sort: 'score' }),
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        stability,
        sort: 'score',
        fields: 'stability',
        per_page: TESTS_PER_PAGE,
        ...(pageParam === null ? {} : { after: pageParam }),
      } as const
      return (await request(api, listTests, { params: { project_id }, query, signal })).data
    },
  })

/** How the branch is and was, with all charts of the tab. */
export const healthQuery = (project_id: string, filter: RunFilter) =>
  queryOptions({
    queryKey: [...insightKey(project_id), 'health', filter],
    refetchInterval: REFRESH_MS,
    queryFn: async ({ signal }) => {
      const query = { ...filter, time_zone: getTimeZone() }
      return (await request(api, getHealth, { params: { project_id }, query, signal })).data.data as Health
    },
  })

/** Only whether the branch is and was green. */
export const bandQuery = (project_id: string, filter: RunFilter) =>
  queryOptions({
    queryKey: [...insightKey(project_id), 'band', filter],
    refetchInterval: REFRESH_MS,
    queryFn: async ({ signal }): Promise<HealthBand> => {
      const query = { ...filter, time_zone: getTimeZone(), fields: 'band' } as const
      return (await request(api, getHealth, { params: { project_id }, query, signal })).data.data
    },
  })

/** How long tests take, of a suite. */
export const slowTestsQuery = (
  project_id: string,
  query: { readonly kind: SpeedKind; readonly branch?: string; readonly series?: string },
) =>
  queryOptions({
    queryKey: [...insightKey(project_id), 'speed', query],
    queryFn: async ({ signal }) => (await request(api, listSlowTests, { params: { project_id }, query, signal })).data,
  })

/** How much drifts apart in each way. */
export const driftTotalsQuery = (project_id: string, kinds: readonly DriftKind[]) =>
  queryOptions({
    queryKey: [...insightKey(project_id), 'drift totals'],
    queryFn: async ({ signal }) => {
      const entries = kinds.map(async (kind) => {
        const query = { kind }
        return [
          kind,
          (await request(api, listDrift, { params: { project_id }, query, signal })).data.meta.total,
        ] as const
      })
      return new Map(await Promise.all(entries))
    },
  })

/** What drifts apart. Its cursor is a number. */
export const driftQuery = (project_id: string, kind: DriftKind) =>
  infiniteQueryOptions({
    ...cursorPages,
    queryKey: [...insightKey(project_id), 'drift', kind],
    queryFn: async ({ pageParam, signal }) => {
      const query = { kind, ...(pageParam === null ? {} : { after: Number(pageParam) }) }
      const { data, meta } = (await request(api, listDrift, { params: { project_id }, query, signal })).data
      return { data, meta: { ...meta, next_after: meta.next_after === null ? null : String(meta.next_after) } }
    },
  })

export const insightSettingsQuery = (project_id: string) =>
  queryOptions({
    queryKey: [...insightKey(project_id), 'settings'],
    queryFn: async ({ signal }) =>
      (await request(api, getInsightSettings, { params: { project_id }, signal })).data.data,
  })

/** Whether tests were repeated lately, so that flaky ones can be told from failures. */
export const repetitionsQuery = (project_id: string) =>
  queryOptions({
    queryKey: [...insightKey(project_id), 'repetitions'],
    queryFn: async ({ signal }) => {
      const query = { fields: 'repetitions' } as const
      const settings = (await request(api, getInsightSettings, { params: { project_id }, query, signal })).data.data
      return settings.has_repetitions === true
    },
  })

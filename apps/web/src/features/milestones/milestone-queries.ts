import {
  getMilestoneBurnUp,
  getMilestoneReadiness,
  listMilestoneBlockers,
  listMilestones,
  type MilestoneListItem,
} from '@caseward/client/endpoints'
import { queryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import type { BlockerListName } from '../../search-schemas.ts'

/** A milestone with everything that the list shows. */
export type FullMilestone = Required<MilestoneListItem>

/** The milestones of a project that have been read. */
export interface MilestoneList {
  readonly milestones: readonly FullMilestone[]
  /** On the server. */
  readonly total: number
}

const PER_PAGE = 100
/** The newest 1,000 are enough for every project we know, and bound the requests of a page. */
const MAX_PAGES = 10
/** Every result changes the progress, and no event says so. */
const REFRESH_MS = 30_000

/** All milestones and sub-milestones of a project, newest first, with their runs and results. */
export const milestoneListQuery = (project_id: string) =>
  queryOptions({
    queryKey: queryKeys.milestoneList(project_id),
    queryFn: async ({ signal }): Promise<MilestoneList> => {
      const milestones = new Map<string, FullMilestone>()
      let total = 0
      for (let page = 1; page <= MAX_PAGES; page += 1) {
        const query = { fields: 'all', per_page: PER_PAGE, page } as const
        const { data } = await request(api, listMilestones, { params: { project_id }, query, signal })
        for (const milestone of data.data) if (isFull(milestone)) milestones.set(milestone.id, milestone)
        total = data.meta.total
        if (page * PER_PAGE >= total) break
      }
      return { milestones: [...milestones.values()], total }
    },
    refetchInterval: REFRESH_MS,
  })

const isFull = (milestone: MilestoneListItem): milestone is FullMilestone =>
  milestone.phase !== undefined && milestone.stats !== undefined

/** How far a milestone is, and its pace. */
export const readinessQuery = (project_id: string, milestone_id: string) =>
  queryOptions({
    queryKey: queryKeys.readiness(project_id, milestone_id),
    queryFn: async ({ signal }) =>
      (await request(api, getMilestoneReadiness, { params: { project_id, milestone_id }, signal })).data.data,
    refetchInterval: REFRESH_MS,
  })

/** What was tested until the end of each day, in the time zone of the reader. */
export const burnUpQuery = (project_id: string, milestone_id: string) =>
  queryOptions({
    queryKey: queryKeys.burnUp(project_id, milestone_id),
    queryFn: async ({ signal }) => {
      const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
      const params = { project_id, milestone_id }
      return (await request(api, getMilestoneBurnUp, { params, query: { time_zone }, signal })).data.data
    },
    refetchInterval: REFRESH_MS,
  })

export const BLOCKERS_PER_PAGE = 50

/** The lists of blockers: those that matter most, and what each part of the readiness sentence counts. */
const blockerFilters = {
  important: {},
  failed: { status: 'failed', priority: 'any' },
  critical: { status: 'failed', priority: 'critical' },
  blocked: { status: 'blocked', priority: 'any' },
} as const satisfies Record<BlockerListName, object>

/** What stands in the way of a milestone, with the number of all. */
export const blockersQuery = (project_id: string, milestone_id: string, list: BlockerListName, page: number) =>
  queryOptions({
    queryKey: queryKeys.blockers(project_id, milestone_id, list, page),
    queryFn: async ({ signal }) => {
      const query = { ...blockerFilters[list], page, per_page: BLOCKERS_PER_PAGE }
      return (await request(api, listMilestoneBlockers, { params: { project_id, milestone_id }, query, signal })).data
    },
    refetchInterval: REFRESH_MS,
  })

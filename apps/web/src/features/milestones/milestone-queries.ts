import { listMilestones, type MilestoneListItem } from '@caseward/client/endpoints'
import { queryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'

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

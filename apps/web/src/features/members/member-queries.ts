import {
  listGroupRoles,
  type ListGroupRoles,
  listInvitations,
  listMembers,
  type Member,
} from '@caseward/client/endpoints'
import { queryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'

const PER_PAGE = 100
/** The first 5,000 are enough for every team, and bound the requests of a page. */
const MAX_PAGES = 50

/** The members of a project in the order in which they joined, and their number on the server. */
export const membersQuery = (project_id: string) =>
  queryOptions({
    queryKey: queryKeys.members(project_id),
    async queryFn({ signal }): Promise<{ members: readonly Member[]; total: number }> {
      const members = new Map<string, Member>()
      let total = 0
      for (let page = 1; page <= MAX_PAGES; page += 1) {
        const query = { per_page: PER_PAGE, page }
        const { data } = await request(api, listMembers, { params: { project_id }, query, signal })
        for (const member of data.data) members.set(member.id, member)
        total = data.meta.total
        if (page * PER_PAGE >= total) break
      }
      return { members: [...members.values()], total }
    },
  })

/** The pending invitations of a project, the newest first. For those who may manage members. */
export const invitationsQuery = (project_id: string) =>
  queryOptions({
    queryKey: queryKeys.invitations(project_id),
    queryFn: async ({ signal }) =>
      (
        await request(api, listInvitations, {
          params: { project_id },
          query: { status: 'pending', per_page: PER_PAGE },
          signal,
        })
      ).data.data,
  })

export type GroupRoles = ListGroupRoles['success'][200]

/** The groups that have a role in a project, and the claim they come from. For those who may manage members. */
export const groupRolesQuery = (project_id: string) =>
  queryOptions({
    queryKey: queryKeys.groupRoles(project_id),
    queryFn: async ({ signal }) => (await request(api, listGroupRoles, { params: { project_id }, signal })).data,
  })

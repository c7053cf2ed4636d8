import { type AuditEntry, listAuditLog, listProjectAuditLog, listUsers } from '@caseward/client/endpoints'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { type CursorPage, cursorPages } from '../../use-cursor-pages.ts'
import type { AuditFilter } from './audit-filter.ts'

/** The server sends so many with one response. */
const PER_PAGE = 100
/** People that the filter offers at once. Typing finds the others. */
const MAX_PEOPLE = 50

/** The audit log of a project, or of the instance (null), page by page, the newest entries first. */
export const auditQuery = (projectId: string | null, filter: AuditFilter) =>
  infiniteQueryOptions({
    ...cursorPages,
    queryKey: queryKeys.audit(projectId, filter),
    async queryFn({ pageParam, signal }): Promise<CursorPage<AuditEntry>> {
      const query = { ...filter, per_page: PER_PAGE, ...(pageParam === null ? {} : { after: pageParam }) }
      return projectId === null
        ? (await request(api, listAuditLog, { query, signal })).data
        : (await request(api, listProjectAuditLog, { params: { project_id: projectId }, query, signal })).data
    },
  })

/** Users of the instance whose name or email address contains a text. */
export const foundUsersQuery = (q: string) =>
  queryOptions({
    queryKey: queryKeys.foundUsers(q),
    queryFn: async ({ signal }) =>
      (await request(api, listUsers, { query: { per_page: MAX_PEOPLE, ...(q === '' ? {} : { q }) }, signal })).data
        .data,
  })

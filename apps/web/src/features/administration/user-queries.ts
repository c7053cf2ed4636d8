import { getInstanceSettings, type InstanceUser, listUsers } from '@caseward/client/endpoints'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import type { Search } from '../../search-params.ts'
import type { searchSchemas } from '../../search-schemas.ts'
import { type CursorPage, cursorPages } from '../../use-cursor-pages.ts'

/** The server sends so many with one response. */
const PER_PAGE = 100

/** The filters of the users. */
export type UsersView = Search<typeof searchSchemas.users>

/** The users of the instance, page by page, the newest account first. */
export const usersQuery = ({ q, status }: UsersView) =>
  infiniteQueryOptions({
    ...cursorPages,
    queryKey: queryKeys.users(q, status),
    async queryFn({ pageParam, signal }): Promise<CursorPage<InstanceUser>> {
      const query = {
        per_page: PER_PAGE,
        ...(pageParam === null ? {} : { after: pageParam }),
        ...(q === '' ? {} : { q }),
        ...(status === 'all' ? {} : { status }),
      }
      return (await request(api, listUsers, { query, signal })).data
    },
  })

export const instanceSettingsQuery = () =>
  queryOptions({
    queryKey: queryKeys.instanceSettings(),
    queryFn: async ({ signal }) => (await request(api, getInstanceSettings, { signal })).data.data,
  })

import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { request } from '../../request-failed.ts'
import { cursorPages } from '../../use-cursor-pages.ts'
import { listMyMentions, readMyMentions } from './mention-endpoints.ts'

/** The key of all lists of mentions. It is here, because no other page needs it. */
export const mentionsKey = ['mentions'] as const

/** The mentions of the user, the newest first. */
export const myMentions = (isUnread: boolean) =>
  infiniteQueryOptions({
    ...cursorPages,
    queryKey: [...mentionsKey, isUnread],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        ...(pageParam === null ? {} : { after: pageParam }),
        ...(isUnread ? { unread: 'true' as const } : {}),
      }
      return (await request(api, listMyMentions, { query, signal })).data
    },
  })

/** @param ids null for all @returns how many were unread */
export const readMentions = async (ids: string[] | null): Promise<number> =>
  (await request(api, readMyMentions, { body: ids === null ? { all: true } : { ids } })).data.data.read

/** Returns the number of mentions that are not read; 0 until it is known. */
export function useUnreadCount(): number {
  const { data } = useInfiniteQuery(myMentions(false))
  return data?.pages[0]?.meta.unread_count ?? 0
}

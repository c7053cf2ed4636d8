import type { InstanceUser } from '@caseward/client/endpoints'
import type { InfiniteData } from '@tanstack/react-query'

import type { CursorPage } from '../../use-cursor-pages.ts'
import type { UserAction } from './user-words.ts'
import type { UsersView } from './user-queries.ts'

type UserPages = InfiniteData<CursorPage<InstanceUser>, string | null>

/**
 * Replaces a user in the pages of a list that have arrived. Thousands of rows need not be read again because of one.
 * @param status the filter of the list, which the user may not match any more
 */
export function patchUsers(
  pages: UserPages,
  status: UsersView['status'],
  user: InstanceUser,
  isDeleted = false,
): UserPages {
  const isShown = !isDeleted && (status === 'all' || (status === 'disabled') === (user.disabled_at !== null))
  const patchPage = (page: CursorPage<InstanceUser>) => ({
    ...page,
    data: page.data.flatMap((row) => (row.id !== user.id ? [row] : isShown ? [user] : [])),
  })
  return { ...pages, pages: pages.pages.map(patchPage) }
}

/** What is known of a user after sessions were ended or tokens revoked, to which the server answers with nothing. */
export const removeAccess = (user: InstanceUser, action: UserAction): InstanceUser => ({
  ...user,
  ...(action === 'end-sessions' ? { session_count: 0 } : {}),
  ...(action === 'remove-factors' ? { has_second_factor: false } : {}),
  ...(action === 'revoke-tokens' ? { token_count: 0 } : {}),
})

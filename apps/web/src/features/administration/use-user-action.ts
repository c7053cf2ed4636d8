import {
  deleteUser,
  endUserSessions,
  type InstanceUser,
  resetSecondFactors,
  revokeUserTokens,
  updateUser,
  type UpdateUserBody,
} from '@caseward/client/endpoints'
import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import { USER_LISTS } from '../../search-schemas.ts'
import type { CursorPage } from '../../use-cursor-pages.ts'
import { patchUsers, removeAccess } from './patch-users.ts'
import type { UserAction } from './user-words.ts'

const changes: Readonly<Partial<Record<UserAction, UpdateUserBody>>> = {
  disable: { disabled: true },
  enable: { disabled: false },
  grant: { is_instance_admin: true },
  withdraw: { is_instance_admin: false },
}

/** Does something to a user, and shows it in the lists. They are read again if it failed: somebody else may have been faster. */
export function useUserAction() {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn({ action, user }: { action: UserAction; user: InstanceUser }): Promise<InstanceUser> {
      const params = { user_id: user.id }
      const body = changes[action]
      if (body !== undefined) return (await request(api, updateUser, { params, body })).data.data
      if (action === 'delete') await request(api, deleteUser, { params })
      else if (action === 'remove-factors') await request(api, resetSecondFactors, { params })
      else await request(api, action === 'end-sessions' ? endUserSessions : revokeUserTokens, { params })
      return removeAccess(user, action)
    },
    async onSuccess(user, { action }) {
      // A response that is on its way has the user as before.
      await queryClient.cancelQueries({ queryKey: queryKeys.allUsers() })
      for (const status of USER_LISTS) {
        queryClient.setQueriesData<InfiniteData<CursorPage<InstanceUser>, string | null>>(
          { queryKey: queryKeys.usersByStatus(status) },
          (pages) => pages && patchUsers(pages, status, user, action === 'delete'),
        )
      }
      // The lists that are not shown may have gained the user.
      await queryClient.invalidateQueries({ queryKey: queryKeys.allUsers(), refetchType: 'none' })
    },
    onError: () => void queryClient.invalidateQueries({ queryKey: queryKeys.allUsers() }),
  })
}

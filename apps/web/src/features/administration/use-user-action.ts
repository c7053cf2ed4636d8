import {
  endUserSessions,
  type InstanceUser,
  revokeUserTokens,
  updateUser,
  type UpdateUserBody,
} from '@caseward/client/endpoints'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'
import type { UserAction } from './user-words.ts'

const changes: Readonly<Partial<Record<UserAction, UpdateUserBody>>> = {
  disable: { disabled: true },
  enable: { disabled: false },
  grant: { is_instance_admin: true },
  withdraw: { is_instance_admin: false },
}

/** Does something to a user. The list of users is read again, also when it failed: somebody else may have been faster. */
export function useUserAction() {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn({ action, user }: { action: UserAction; user: InstanceUser }) {
      const params = { user_id: user.id }
      const body = changes[action]
      if (body !== undefined) await request(api, updateUser, { params, body })
      else await request(api, action === 'end-sessions' ? endUserSessions : revokeUserTokens, { params })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.allUsers() }),
  })
}

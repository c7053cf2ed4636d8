import {
  createPersonalToken,
  type CreateTokenBody,
  revokePersonalToken,
  revokePersonalTokens,
} from '@caseward/client/endpoints'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'

/** Creates a personal token. Its secret is only in the result of the mutation, which is not kept. */
export function useCreateToken() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: CreateTokenBody) => (await request(api, createPersonalToken, { body })).data.data,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.tokens() }),
    gcTime: 0,
  })
}

/** Revokes a personal token, or with null all of them, and those that were created with them. */
export function useRevokeTokens() {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn(token_id: string | null) {
      if (token_id === null) await request(api, revokePersonalTokens)
      else await request(api, revokePersonalToken, { params: { token_id } })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.tokens() }),
  })
}

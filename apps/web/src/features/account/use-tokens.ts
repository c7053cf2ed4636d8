import { createPersonalToken, type CreateTokenBody, revokePersonalToken } from '@caseward/client/endpoints'
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

/** Revokes a personal token, and those that were created with it. */
export function useRevokeToken() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (token_id: string) => request(api, revokePersonalToken, { params: { token_id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.tokens() }),
  })
}

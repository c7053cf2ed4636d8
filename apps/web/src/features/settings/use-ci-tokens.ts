import {
  createCiToken,
  type CreateCiTokenBody,
  keepCiToken,
  listCiTokens,
  revokeCiToken,
} from '@caseward/client/endpoints'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'

/** The CI tokens of a project, newest first. @throws {RequestFailed} */
export const ciTokensQuery = (project_id: string) =>
  queryOptions({
    queryKey: queryKeys.ciTokens(project_id),
    queryFn: async ({ signal }) => (await request(api, listCiTokens, { params: { project_id }, signal })).data.data,
  })

/** Creates a CI token. Its secret is only in the result of the mutation, which is not kept. */
export function useCreateCiToken(project_id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: CreateCiTokenBody) =>
      (await request(api, createCiToken, { params: { project_id }, body })).data.data,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.ciTokens(project_id) }),
    gcTime: 0,
  })
}

/** Records that a CI token was reviewed and stays. */
export function useKeepCiToken(project_id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (token_id: string) =>
      request(api, keepCiToken, { params: { project_id, token_id }, body: { needs_review: false } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.ciTokens(project_id) }),
  })
}

/** Revokes a CI token, and those that were created with it. */
export function useRevokeCiToken(project_id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (token_id: string) => request(api, revokeCiToken, { params: { project_id, token_id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.ciTokens(project_id) }),
  })
}

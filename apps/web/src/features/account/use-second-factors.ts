import {
  activatePasskey,
  activateTotp,
  listSecondFactors,
  removeSecondFactor,
  renewRecoveryCodes,
  setUpPasskey,
  type SetUpTotp,
  setUpTotp,
} from '@caseward/client/endpoints'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { api, outboxApi } from '../../api.ts'
import { createPasskey } from '../../passkeys.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'

/** The secret of an authenticator app that has not given a code yet. */
export type TotpSetup = SetUpTotp['success'][201]['data']

export const secondFactorsQuery = () =>
  queryOptions({
    queryKey: queryKeys.secondFactors(),
    queryFn: async ({ signal }) => (await request(api, listSecondFactors, { signal })).data.data,
  })

/** Creates the secret of an authenticator app. It is only in the result of the mutation, which is not kept. */
export const useSetUpTotp = () =>
  useMutation({
    mutationFn: async (name: string) => (await request(api, setUpTotp, { body: { name } })).data.data,
    gcTime: 0,
  })

/** Takes an authenticator app into use with its first code. The client does not wait for the end of a limit. */
export function useActivateTotp() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async ({ id, code }: { id: string; code: string }) =>
      (await request(outboxApi, activateTotp, { params: { factor_id: id }, body: { code } })).data.data,
    onSuccess: refresh,
    gcTime: 0,
  })
}

/** Adds a passkey, for which the browser asks. The signal makes it stop, unless the passkey exists already. */
export function useAddPasskey() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async ({ name, signal }: { name: string; signal: AbortSignal }) => {
      const { options } = (await request(api, setUpPasskey, { signal })).data.data
      const credential = await createPasskey(options, signal)
      return (await request(outboxApi, activatePasskey, { body: { name, credential } })).data.data
    },
    onSuccess: refresh,
    gcTime: 0,
  })
}

export function useRemoveFactor() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (factor_id: string) => request(api, removeSecondFactor, { params: { factor_id } }),
    onSettled: refresh,
  })
}

/** Creates new recovery codes. They are only in the result of the mutation, which is not kept. */
export function useRenewRecoveryCodes() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async () => (await request(api, renewRecoveryCodes)).data.data.recovery_codes,
    onSuccess: refresh,
    gcTime: 0,
  })
}

function useRefresh() {
  const queryClient = useQueryClient()
  return () => {
    void queryClient.invalidateQueries({ queryKey: queryKeys.secondFactors() })
    void queryClient.invalidateQueries({ queryKey: queryKeys.me() })
  }
}

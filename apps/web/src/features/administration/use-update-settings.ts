import { type InstanceSettings, updateInstanceSettings } from '@caseward/client/endpoints'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'

/** Changes settings of the instance, those that are given. */
export function useUpdateSettings() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: Partial<InstanceSettings>) =>
      (await request(api, updateInstanceSettings, { body })).data.data,
    onSuccess: (settings) => queryClient.setQueryData(queryKeys.instanceSettings(), settings),
  })
}

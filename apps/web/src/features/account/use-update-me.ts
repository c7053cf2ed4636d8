import { updateMe, type UpdateMeBody } from '@caseward/client/endpoints'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'

/** Changes the user's own account. */
export function useUpdateMe() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: UpdateMeBody) => (await request(api, updateMe, { body })).data.data,
    onSuccess: (me) => queryClient.setQueryData(queryKeys.me(), me),
  })
}

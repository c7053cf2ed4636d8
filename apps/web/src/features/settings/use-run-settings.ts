import { getRunSettings, type RunSettings, updateRunSettings } from '@caseward/client/endpoints'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'

/** How runs of a project take results. */
export const runSettingsQuery = (project_id: string) =>
  queryOptions({
    queryKey: queryKeys.runSettings(project_id),
    queryFn: async ({ signal }) => (await request(api, getRunSettings, { params: { project_id }, signal })).data.data,
  })

export function useUpdateRunSettings(project_id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: Partial<RunSettings>) => request(api, updateRunSettings, { params: { project_id }, body }),
    async onSuccess({ data }) {
      queryClient.setQueryData(runSettingsQuery(project_id).queryKey, data.data)
      // Projects say what steps decide.
      await queryClient.invalidateQueries({ queryKey: queryKeys.projects() })
    },
  })
}

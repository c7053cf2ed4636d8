import { createProject, type CreateProjectBody } from '@caseward/client/endpoints'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'

/** Creates a project, and reads the list of projects again before it is opened: its rights are in there. */
export function useCreateProject(onCreated: (projectId: string) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: CreateProjectBody) => (await request(api, createProject, { body })).data.data,
    async onSuccess({ id }) {
      await queryClient.invalidateQueries({ queryKey: queryKeys.projects() })
      onCreated(id)
    },
  })
}

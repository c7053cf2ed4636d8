import { getProjectStorage } from '@caseward/client/endpoints'
import { queryOptions } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'

/** What the files of a project take. */
export const projectStorageQuery = (project_id: string) =>
  queryOptions({
    queryKey: queryKeys.projectStorage(project_id),
    queryFn: async ({ signal }) =>
      (await request(api, getProjectStorage, { params: { project_id }, signal })).data.data,
  })

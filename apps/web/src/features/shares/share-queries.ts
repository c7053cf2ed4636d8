import {
  createMilestoneShare,
  createRunShare,
  type CreateShareBody,
  listMilestoneShares,
  listRunShares,
  listShares,
  revokeShare,
} from '@caseward/client/endpoints'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { api } from '../../api.ts'
import { queryKeys } from '../../query-keys.ts'
import { request } from '../../request-failed.ts'

/** What a report is about. */
export interface ShareSubject {
  readonly kind: 'run' | 'milestone'
  readonly id: string
  readonly name: string
  readonly projectId: string
}

/** All of a project; with a subject, those of it. Not in `query-keys.ts`, which is part of the first load. */
const buildKey = (projectId: string, ...subject: readonly string[]) => [
  ...queryKeys.inProject(projectId),
  'shares',
  ...subject,
]

/** The shared reports of a run or milestone, and whether the user may share another one. */
export const subjectSharesQuery = ({ kind, id, projectId }: ShareSubject) =>
  queryOptions({
    queryKey: buildKey(projectId, id),
    queryFn: async ({ signal }) =>
      kind === 'run'
        ? (await request(api, listRunShares, { params: { run_id: id }, signal })).data
        : (await request(api, listMilestoneShares, { params: { project_id: projectId, milestone_id: id }, signal }))
            .data,
  })

/** All shared reports of a project. */
export const projectSharesQuery = (project_id: string) =>
  queryOptions({
    queryKey: buildKey(project_id, 'all'),
    queryFn: async ({ signal }) => (await request(api, listShares, { params: { project_id }, signal })).data,
  })

/** Shares a report. Its address is only in the result of the mutation, which is not kept. */
export function useCreateShare({ kind, id, projectId }: ShareSubject) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (body: CreateShareBody) =>
      kind === 'run'
        ? (await request(api, createRunShare, { params: { run_id: id }, body })).data.data
        : (await request(api, createMilestoneShare, { params: { project_id: projectId, milestone_id: id }, body })).data
            .data,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: buildKey(projectId) }),
    gcTime: 0,
  })
}

export function useRevokeShare(project_id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (share_id: string) => request(api, revokeShare, { params: { project_id, share_id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: buildKey(project_id) }),
  })
}

import { toRecord } from '../../../records.ts'
import { createForgeRequest, type Forge, readId, readPages } from './forge.ts'

interface GitlabPlace {
  /** Address of the API, with its version. */
  readonly api: string
  readonly token: string
  readonly projectId: string
  readonly mergeRequest: string
}

/** Notes of a merge request on GitLab: https://docs.gitlab.com/api/notes/ */
export function createGitlab({ api, token, projectId, mergeRequest }: GitlabPlace): Forge {
  const request = createForgeRequest(api, { 'private-token': token })
  const notes = `/projects/${encodeURIComponent(projectId)}/merge_requests/${mergeRequest}/notes`
  return {
    list: async () => {
      const own = toRecord(await request('GET', '/user'))['id']
      return await readPages(request, `${notes}?sort=asc&order_by=created_at`, ({ id, body, author }) =>
        typeof id === 'number' && typeof body === 'string' ? { id, body, isOwn: toRecord(author)['id'] === own } : null,
      )
    },
    create: async (body) => readId(await request('POST', notes, { body })),
    update: async (id, body) => void (await request('PUT', `${notes}/${id}`, { body })),
    remove: async (id) => void (await request('DELETE', `${notes}/${id}`)),
  }
}

import { listMembers, listPeople } from '@caseward/client/endpoints'

import { request } from '../../request-failed.ts'
import { exportApi } from './export-api.ts'

const MEMBERS_PER_PAGE = 100

/**
 * Reads what a file calls the owners of test cases: email addresses, and for former members their names.
 * @param ids the owners; nothing is read without any
 */
export async function loadOwnerNames(
  project_id: string,
  ids: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  if (ids.size === 0) return names
  const params = { project_id }
  const { data: people } = await request(exportApi, listPeople, { params, signal })
  for (const { id, name } of people.data) names.set(id, name)
  for (let page = 1; ; page += 1) {
    const query = { page, per_page: MEMBERS_PER_PAGE }
    const { data: members } = await request(exportApi, listMembers, { params, query, signal })
    for (const { id, email } of members.data) names.set(id, email)
    if (page * MEMBERS_PER_PAGE >= members.meta.total) return names
  }
}

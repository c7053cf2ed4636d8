import type { Member } from '@caseward/contract/members'

import { makeProject } from './factories.ts'
import type { TestResponse } from './send-request.ts'
import type { TestServer } from './test-server.ts'
import { makeMember } from './users.ts'

/** A project with an admin, a member and a viewer. */
export async function makeTeam(server: TestServer) {
  const project = await makeProject(server)
  const member = await makeMember(server, project.id, 'member')
  const viewer = await makeMember(server, project.id, 'viewer')
  const { admin } = project
  const path = `/v1/projects/${project.id}/members`
  return {
    project,
    /** The path of the project's members. */
    path,
    /** The admin's token. */
    token: admin.token,
    admin,
    member,
    viewer,
    list: (query = '', token = admin.token): Promise<TestResponse<{ data: Member[]; meta: object }>> =>
      server.request('GET', path + query, { token }),
    async countMembers(): Promise<number> {
      const { member_count: count } = await server.db
        .selectFrom('projects')
        .select('member_count')
        .where('id', '=', project.id)
        .executeTakeFirstOrThrow()
      return count
    },
  }
}

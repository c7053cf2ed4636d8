import type { Person } from '@caseward/contract/members'
import { makeProject } from '@caseward/test-support/factories'
import { makeTeam } from '@caseward/test-support/team'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

async function listPeople(projectId: string, token: string): Promise<Person[]> {
  const { status, body } = await server.request<{ data: Person[] }>('GET', `/v1/projects/${projectId}/people`, {
    token,
  })
  expect(status).toBe(200)
  return body.data
}

describe('GET /v1/projects/:project_id/people', () => {
  it('returns members and, after them, former members, each once', async () => {
    const { project, path, token, admin, member, viewer } = await makeTeam(server)
    await server.request('DELETE', `${path}/${member.id}`, { token })
    const people = await listPeople(project.id, viewer.token)
    expect(people.map(({ id, is_member }) => [id, is_member])).toEqual([
      ...[admin.id, viewer.id].map((id) => [id, true]),
      [member.id, false],
    ])
    expect(Object.keys(people[0] ?? {})).toEqual(['id', 'name', 'avatar_url', 'is_member', 'role'])
    await server.db
      .insertInto('memberships')
      .values({ project_id: project.id, user_id: member.id, role: 'viewer' })
      .execute()
    const again = await listPeople(project.id, viewer.token)
    expect(again.filter(({ id }) => id === member.id)).toMatchObject([{ is_member: true }])
  })

  it('does not return members of other projects', async () => {
    const { project, token } = await makeTeam(server)
    const other = await makeProject(server)
    const ids = (await listPeople(project.id, token)).map(({ id }) => id)
    expect(ids).toHaveLength(3)
    expect(ids).not.toContain(other.admin.id)
  })

  it('returns 403 to a former member', async () => {
    const { project, path, token, member } = await makeTeam(server)
    await server.request('DELETE', `${path}/${member.id}`, { token })
    await server.expectProblem(403, 'GET', `/v1/projects/${project.id}/people`, { token: member.token })
  })
})

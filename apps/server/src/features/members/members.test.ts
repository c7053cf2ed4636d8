import type { ChangedMember, Member } from '@caseward/contract/members'
import { describe, expect, it } from 'vitest'

import { makeCiToken, makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

const server = useTestServer()

const unknownId = '01a1fc2b-5f29-7584-9e03-d27674921b66'

/** A project with an admin, a member and a viewer. */
async function makeTeam() {
  const project = await makeProject(server)
  const member = await makeMember(server, project.id, 'member')
  const viewer = await makeMember(server, project.id, 'viewer')
  const { token } = project.admin
  const path = `/v1/projects/${project.id}/members`
  return { project, path, token, admin: project.admin, member, viewer }
}

const list = (path: string, token: string, query = '') =>
  server.request<{ data: Member[]; meta: object }>('GET', path + query, { token })

async function memberCount(projectId: string): Promise<number> {
  const { member_count: count } = await server.db
    .selectFrom('projects')
    .select('member_count')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  return count
}

describe('GET /v1/projects/:project_id/members', () => {
  it(
    'lists the members in the order in which they joined, each with exactly the fields of a member',
    {
      tags: [
        'spec:service/stores-members-with-roles',
        'spec:members/id-that-of-the-user',
        'spec:members/email-string',
        'spec:members/name-string',
        'spec:members/avatar_url-string-nullable',
        'spec:members/role-admin-member-or-viewer',
        'spec:members/joined_at-timestamp',
        'spec:members/updated_at-is-only-in-the-answer-to-a-change-of',
        'spec:members/get-200',
        'spec:members/get-members-without-updated_at',
      ],
    },
    async () => {
      const { path, token, admin, member, viewer } = await makeTeam()
      const { status, body } = await list(path, token)
      expect(status).toBe(200)
      expect(body.data.map(({ id, role }) => [id, role])).toEqual([
        [admin.id, 'admin'],
        [member.id, 'member'],
        [viewer.id, 'viewer'],
      ])
      expect(body.data[1]).toEqual({
        id: member.id,
        email: member.email,
        name: expect.any(String),
        avatar_url: null,
        role: 'member',
        joined_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      })
      expect(body.meta).toEqual({ page: 1, per_page: 20, total: 3 })
    },
  )

  it('shows the picture of a member who has one', { tags: ['spec:members/avatar_url-string-nullable'] }, async () => {
    const { path, token, member } = await makeTeam()
    const avatar_url = 'https://example.test/mira.png'
    await server.request('PATCH', '/v1/me', { token: member.token, body: { avatar_url } })
    expect((await list(path, token)).body.data.map((one) => one.avatar_url)).toEqual([null, avatar_url, null])
  })

  it.each([['admin'], ['member'], ['viewer']] as const)(
    'filters by the role %s',
    { tags: ['spec:members/get-role-is-admin-member-or-viewer'] },
    async (role) => {
      const team = await makeTeam()
      const { body } = await list(team.path, team.token, `?role=${role}`)
      expect(body.data.map(({ id }) => id)).toEqual([team[role].id])
      expect(body.meta).toMatchObject({ total: 1 })
    },
  )

  it(
    'gives the page that is asked for, with the true total also past the end',
    { tags: ['spec:members/get-paginated'] },
    async () => {
      const { path, token, viewer } = await makeTeam()
      const second = await list(path, token, '?page=2&per_page=2')
      expect(second.body.data.map(({ id }) => id)).toEqual([viewer.id])
      expect(second.body.meta).toEqual({ page: 2, per_page: 2, total: 3 })
      expect((await list(path, token, '?page=9')).body).toMatchObject({ data: [], meta: { total: 3 } })
    },
  )

  it.each([['role=owner'], ['role='], ['page=0'], ['per_page=101']])(
    'refuses ?%s',
    { tags: ['spec:members/get-role-is-admin-member-or-viewer', 'spec:members/another-role-is-400'] },
    async (query) => {
      const { path, token } = await makeTeam()
      await server.expectProblem(400, 'GET', `${path}?${query}`, { token })
    },
  )

  it('is for every member, not for CI tokens, strangers or nobody', async () => {
    const { project, path, member, viewer } = await makeTeam()
    for (const { token } of [member, viewer]) expect((await list(path, token)).status).toBe(200)
    await server.expectProblem(403, 'GET', path, { token: await makeCiToken(server, project) })
    await server.expectProblem(403, 'GET', path, { token: (await makeUser(server)).token })
    await server.expectProblem(401, 'GET', path)
    await server.expectProblem(404, 'GET', `/v1/projects/${unknownId}/members`, { token: member.token })
  })
})

describe('PATCH /v1/projects/:project_id/members/:user_id', () => {
  it(
    'changes the role and answers with the member and updated_at, at the top level',
    {
      tags: [
        'spec:conventions/members-and-invitations-are-at-top-level',
        'spec:members/updated_at-is-only-in-the-answer-to-a-change-of',
        'spec:members/patch-200-with-the-member-and-updated_at',
      ],
    },
    async () => {
      const { path, token, viewer } = await makeTeam()
      const before = new Date()
      const answer = await server.request<ChangedMember>('PATCH', `${path}/${viewer.id}`, {
        token,
        body: { role: 'member' },
      })
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({
        id: viewer.id,
        email: viewer.email,
        name: expect.any(String),
        avatar_url: null,
        role: 'member',
        joined_at: expect.any(String),
        updated_at: expect.any(String),
      })
      expect(new Date(answer.body.updated_at).getTime()).toBeGreaterThanOrEqual(before.getTime() - 1)
    },
  )

  it.each([['admin'], ['member'], ['viewer']] as const)(
    'gives the role %s',
    { tags: ['spec:members/role-admin-member-or-viewer', 'spec:members/patch-role-is-required-one-of-three'] },
    async (role) => {
      const { project, path, token } = await makeTeam()
      const { id } = await makeMember(server, project.id, role === 'viewer' ? 'member' : 'viewer')
      const answer = await server.request('PATCH', `${path}/${id}`, { token, body: { role } })
      expect(answer).toMatchObject({ status: 200, body: { id, role } })
      expect((await list(path, token)).body.data.find((one) => one.id === id)?.role).toBe(role)
    },
  )

  it('leaves updated_at alone when the role stays', async () => {
    const { path, token, viewer } = await makeTeam()
    const set = () =>
      server.request<ChangedMember>('PATCH', `${path}/${viewer.id}`, { token, body: { role: 'viewer' } })
    expect((await set()).body.updated_at).toBe((await set()).body.updated_at)
  })

  it('takes effect at once', async () => {
    const { project, path, token, viewer } = await makeTeam()
    const create = () =>
      server.request('POST', `/v1/projects/${project.id}/test-cases`, { token: viewer.token, body: { title: 'x' } })
    expect((await create()).status).toBe(403)
    await server.request('PATCH', `${path}/${viewer.id}`, { token, body: { role: 'member' } })
    expect((await create()).status).toBe(201)
    await server.request('PATCH', `${path}/${viewer.id}`, { token, body: { role: 'viewer' } })
    expect((await create()).status).toBe(403)
  })

  it.each([['owner'], ['Admin'], [''], [null], [1], [undefined]])(
    'refuses the role %j',
    {
      tags: [
        'spec:members/role-admin-member-or-viewer',
        'spec:members/patch-role-is-required-one-of-three',
        'spec:members/another-role-is-400',
        'spec:errors/400-members-invalid-body',
      ],
    },
    async (role) => {
      const { path, token, viewer } = await makeTeam()
      const problem = await server.expectProblem(400, 'PATCH', `${path}/${viewer.id}`, { token, body: { role } })
      expect(problem.errors).toMatchObject([{ path: '/role' }])
    },
  )

  it(
    'is 404 for no member of this project, once the body is right',
    { tags: ['spec:errors/404-members-no-such-member'] },
    async () => {
      const { path, token } = await makeTeam()
      const stranger = await makeUser(server)
      for (const id of [stranger.id, unknownId, 'nonsense']) {
        await server.expectProblem(404, 'PATCH', `${path}/${id}`, { token, body: { role: 'viewer' } })
        await server.expectProblem(400, 'PATCH', `${path}/${id}`, { token, body: { role: 'nobody' } })
      }
    },
  )

  it(
    'is for admins only, who learn nothing of the body',
    {
      tags: [
        'spec:members/patch-admins-only',
        'spec:authentication/changing-roles-is-for-admins-403-for-others',
        'spec:errors/403-members-admins-only',
      ],
    },
    async () => {
      const { path, member, viewer } = await makeTeam()
      for (const { token } of [member, viewer]) {
        await server.expectProblem(403, 'PATCH', `${path}/${viewer.id}`, { token, body: { role: 'nonsense' } })
      }
    },
  )
})

describe('DELETE /v1/projects/:project_id/members/:user_id', () => {
  it(
    'removes the member with an empty 204, and counts one less',
    { tags: ['spec:members/delete-204-with-an-empty-body'] },
    async () => {
      const { project, path, token, viewer } = await makeTeam()
      expect(await server.request('DELETE', `${path}/${viewer.id}`, { token })).toMatchObject({ status: 204, body: '' })
      expect((await list(path, token)).body.meta).toMatchObject({ total: 2 })
      expect(await memberCount(project.id)).toBe(2)
    },
  )

  it('takes effect at once', async () => {
    const { path, token, viewer } = await makeTeam()
    expect((await list(path, viewer.token)).status).toBe(200)
    await server.request('DELETE', `${path}/${viewer.id}`, { token })
    await server.expectProblem(403, 'GET', path, { token: viewer.token })
  })

  it('lets an admin leave when there is another', async () => {
    const { project, path, token, admin } = await makeTeam()
    await makeMember(server, project.id, 'admin')
    expect((await server.request('DELETE', `${path}/${admin.id}`, { token })).status).toBe(204)
    await server.expectProblem(403, 'GET', path, { token })
  })

  it(
    'is 404 for no member of this project, also the second time',
    { tags: ['spec:errors/404-members-no-such-member'] },
    async () => {
      const { project, path, token, viewer } = await makeTeam()
      await server.request('DELETE', `${path}/${viewer.id}`, { token })
      for (const id of [viewer.id, unknownId, 'nonsense'])
        await server.expectProblem(404, 'DELETE', `${path}/${id}`, { token })
      expect(await memberCount(project.id)).toBe(2)
    },
  )

  it(
    'is for admins only: nobody else removes anybody, themselves neither',
    {
      tags: [
        'spec:members/delete-admins-only',
        'spec:authentication/removing-members-is-for-admins-403-for-others',
        'spec:errors/403-members-admins-only',
      ],
    },
    async () => {
      const { path, member, viewer } = await makeTeam()
      await server.expectProblem(403, 'DELETE', `${path}/${viewer.id}`, { token: member.token })
      await server.expectProblem(403, 'DELETE', `${path}/${viewer.id}`, { token: viewer.token })
    },
  )

  it('keeps what the member made', async () => {
    const { project, path, token, member } = await makeTeam()
    const cases = `/v1/projects/${project.id}/test-cases`
    await server.request('POST', cases, { token: member.token, body: { title: 'Stays' } })
    await server.request('DELETE', `${path}/${member.id}`, { token })
    const { body } = await server.request('GET', `${cases}/WEB-1`, { token })
    expect(body['data']).toMatchObject({ title: 'Stays', created_by: member.id })
  })
})

describe('the members of a project that does not exist', () => {
  it.each([
    ['GET', '', undefined],
    ['POST', '/invite', { email: 'mira@example.test', role: 'viewer' }],
    ['PATCH', `/${unknownId}`, { role: 'viewer' }],
    ['DELETE', `/${unknownId}`, undefined],
  ])('are 404: %s …/members%s', { tags: ['spec:errors/404-members-no-such-project'] }, async (method, rest, body) => {
    const { token } = await makeUser(server)
    await server.expectProblem(404, method, `/v1/projects/${unknownId}/members${rest}`, { token, body })
  })
})

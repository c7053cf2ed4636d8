import { describe, expect, it } from 'vitest'

import { makeCiToken } from '@caseward/test-support/factories'
import { makeTeam } from '@caseward/test-support/team'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'

const server = useSharedServer()

const unknownId = '01a1fc2b-5f29-7584-9e03-d27674921b66'

describe('GET /v1/projects/:project_id/members', () => {
  it(
    'returns the members in the order in which they joined, with exactly the fields of a member',
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
      const { admin, member, viewer, list } = await makeTeam(server)
      const { status, body } = await list()
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

  it('returns the avatar of a member who has one', { tags: ['spec:members/avatar_url-string-nullable'] }, async () => {
    const { member, list } = await makeTeam(server)
    const avatar_url = 'https://example.test/mira.png'
    await server.request('PATCH', '/v1/me', { token: member.token, body: { avatar_url } })
    expect((await list()).body.data.map(({ avatar_url: url }) => url)).toEqual([null, avatar_url, null])
  })

  it.each([['admin'], ['member'], ['viewer']] as const)(
    'filters by the role %s',
    { tags: ['spec:members/get-role-is-admin-member-or-viewer'] },
    async (role) => {
      const team = await makeTeam(server)
      const { body } = await team.list(`?role=${role}`)
      expect(body.data.map(({ id }) => id)).toEqual([team[role].id])
      expect(body.meta).toMatchObject({ total: 1 })
    },
  )

  it(
    'returns the requested page, with the correct total also past the end',
    { tags: ['spec:members/get-paginated'] },
    async () => {
      const { viewer, list } = await makeTeam(server)
      const second = await list('?page=2&per_page=2')
      expect(second.body.data.map(({ id }) => id)).toEqual([viewer.id])
      expect(second.body.meta).toEqual({ page: 2, per_page: 2, total: 3 })
      expect((await list('?page=9')).body).toMatchObject({ data: [], meta: { total: 3 } })
    },
  )

  it.each([['role=owner'], ['role='], ['page=0'], ['per_page=101']])(
    'returns 400 for the query ?%s',
    { tags: ['spec:members/get-role-is-admin-member-or-viewer', 'spec:members/another-role-is-400'] },
    async (query) => {
      const { path, token } = await makeTeam(server)
      await server.expectProblem(400, 'GET', `${path}?${query}`, { token })
    },
  )

  it('returns 200 to every role, 403 to CI tokens and other users, 401 without a token', async () => {
    const { project, path, member, viewer, list } = await makeTeam(server)
    for (const { token } of [member, viewer]) expect((await list('', token)).status).toBe(200)
    await server.expectProblem(403, 'GET', path, { token: await makeCiToken(server, project) })
    await server.expectProblem(403, 'GET', path, { token: (await makeUser(server)).token })
    await server.expectProblem(401, 'GET', path)
    await server.expectProblem(404, 'GET', `/v1/projects/${unknownId}/members`, { token: member.token })
  })
})

describe('the member endpoints of an unknown project', () => {
  it.each([
    ['GET', '', undefined],
    ['POST', '/invite', { email: 'mira@example.test', role: 'viewer' }],
    ['PATCH', `/${unknownId}`, { role: 'viewer' }],
    ['DELETE', `/${unknownId}`, undefined],
  ])(
    'returns 404 for %s …/members%s',
    { tags: ['spec:errors/404-members-no-such-project'] },
    async (method, subpath, body) => {
      const { token } = await makeUser(server)
      await server.expectProblem(404, method, `/v1/projects/${unknownId}/members${subpath}`, { token, body })
    },
  )
})

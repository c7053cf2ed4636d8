import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, it } from 'vitest'

import { makeCiToken, makeMilestone, makeProject } from '@caseward/test-support/factories'
import { startTestServer, useSharedServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

const server = useSharedServer()

let project: Awaited<ReturnType<typeof makeProject>>
beforeAll(async () => {
  project = await makeProject(server)
})

/** Every endpoint with its status on success. `hasId` says whether its path names one milestone. */
const endpoints = [
  { method: 'GET', hasId: false, success: 200 },
  { method: 'GET', hasId: true, success: 200 },
  { method: 'POST', hasId: false, success: 201, body: { name: 'x' }, invalidBody: { name: '' } },
  { method: 'PATCH', hasId: true, success: 200, body: { name: 'x' }, invalidBody: { status: 'done' } },
  { method: 'DELETE', hasId: true, success: 204 },
] as const
const rows = endpoints.map((endpoint) => [endpoint.method, endpoint.hasId ? '/:milestone_id' : '', endpoint] as const)

const getPath = (projectId: string, id: string | null) =>
  `/v1/projects/${projectId}/milestones${id === null ? '' : `/${id}`}`

describe.each(rows)('%s /v1/projects/:project_id/milestones%s', (_method, _path, endpoint) => {
  const { method, hasId, success } = endpoint
  const validOptions = 'body' in endpoint ? { body: endpoint.body } : {}
  const invalidOptions = 'invalidBody' in endpoint ? { body: endpoint.invalidBody } : {}
  const createTarget = async () => getPath(project.id, hasId ? (await makeMilestone(server, project)).id : null)

  it.each([['admin'], ['member']] as const)(
    'is allowed to the role %s',
    { tags: ['spec:authentication/permission-manage-milestones'] },
    async (role) => {
      const { token } = await makeMember(server, project.id, role)
      expect((await server.request(method, await createTarget(), { token, ...validOptions })).status).toBe(success)
    },
  )

  it(
    'is allowed to viewers and CI tokens only when it reads',
    { tags: ['spec:authentication/permission-manage-milestones', 'spec:errors/403-milestones'] },
    async () => {
      const tokens = [
        (await makeMember(server, project.id, 'viewer')).token,
        await makeCiToken(server, project, 'write'),
        await makeCiToken(server, project, 'read'),
      ]
      const statuses: number[] = []
      for (const token of tokens)
        statuses.push((await server.request(method, await createTarget(), { token, ...invalidOptions })).status)
      expect(statuses).toEqual(method === 'GET' ? [200, 200, 200] : [403, 403, 403])
    },
  )

  it('returns 403 before any other error to users and CI tokens of other projects', async () => {
    const tokens = [(await makeUser(server)).token, await makeCiToken(server, await makeProject(server))]
    for (const token of tokens) {
      const path = hasId ? getPath(project.id, uuidv7()) : getPath(project.id, null)
      await server.expectProblem(403, method, path, { token, ...invalidOptions })
    }
  })

  it(
    'returns 401 without a token, then 404 for an unknown project, before any other error',
    { tags: ['spec:errors/404-milestones-no-such-project'] },
    async () => {
      const { token } = await makeUser(server)
      const path = getPath(uuidv7(), hasId ? uuidv7() : null)
      await server.expectProblem(401, method, path, invalidOptions)
      await server.expectProblem(404, method, path, { token, ...invalidOptions })
      await server.expectProblem(404, method, getPath('x', hasId ? 'x' : null), { token, ...invalidOptions })
    },
  )

  it('returns 404 after the project was deleted', async () => {
    const deleted = await makeProject(server)
    const path = getPath(deleted.id, hasId ? (await makeMilestone(server, deleted)).id : null)
    await server.db.deleteFrom('projects').where('id', '=', deleted.id).execute()
    await server.expectProblem(404, method, path, { token: deleted.admin.token, ...validOptions })
  })
})

describe('PATCH /v1/projects/:project_id/milestones/:milestone_id of an unknown milestone', () => {
  const path = () => getPath(project.id, uuidv7())

  it.each([[{ status: 'done' }], [{ start_date: '2026-11-21', due_date: '2026-11-20' }]])(
    'returns 400 for the invalid body %j',
    async (body) => {
      await server.expectProblem(400, 'PATCH', path(), { token: project.admin.token, body })
    },
  )

  it('returns 404 for a valid body', { tags: ['spec:errors/404-milestones-no-such-milestone'] }, async () => {
    await server.expectProblem(404, 'PATCH', path(), { token: project.admin.token, body: { status: 'active' } })
  })

  it('returns 403 read_only_token for a read-only personal token of an admin', async () => {
    const reader = await makeUser(server, { access: 'read' })
    const membership = { project_id: project.id, user_id: reader.id, role: 'admin' } as const
    await server.db.insertInto('memberships').values(membership).execute()
    expect((await server.request('GET', getPath(project.id, null), { token: reader.token })).status).toBe(200)
    const problem = await server.expectProblem(403, 'PATCH', path(), { token: reader.token, body: {} })
    expect(problem.code).toBe('read_only_token')
  })
})

describe('the rate limit of the milestone endpoints', () => {
  it(
    'is shared by all milestone endpoints, and separate for other tokens and other endpoints',
    { tags: ['spec:limits/60-requests-a-minute-for-milestones'] },
    async () => {
      const limited = await startTestServer({ rateLimit: 3 })
      try {
        const limitedProject = await makeProject(limited)
        const { token } = limitedProject.admin
        const { token: otherToken } = await makeMember(limited, limitedProject.id, 'viewer')
        const all = getPath(limitedProject.id, null)
        const created = await limited.request<{ id: string }>('POST', all, { token, body: { name: 'x' } })
        const single = getPath(limitedProject.id, created.body.id)
        await limited.request('PATCH', single, { token, body: { name: 'y' } })
        const last = await limited.request('GET', single, { token })
        expect([last.status, last.headers.get('ratelimit-limit'), last.headers.get('ratelimit-remaining')]).toEqual([
          200,
          '3',
          '0',
        ])
        for (const { method, hasId } of endpoints) {
          const response = await limited.request(method, hasId ? single : all, { token })
          expect([response.status, response.body['code']]).toEqual([429, 'rate_limit_exceeded'])
          expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
        }
        expect((await limited.request('GET', single, { token: otherToken })).status).toBe(200)
        expect((await limited.request('GET', `/v1/projects/${limitedProject.id}`, { token })).status).toBe(200)
      } finally {
        await limited.close()
      }
    },
  )
})

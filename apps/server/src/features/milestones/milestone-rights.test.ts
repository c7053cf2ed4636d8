import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { makeCiToken, makeMilestone, makeProject } from '@caseward/test-support/factories'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

let server: TestServer
let project: Awaited<ReturnType<typeof makeProject>>
beforeAll(async () => {
  server = await startTestServer()
  project = await makeProject(server)
})
afterAll(() => server.close())

/** Every endpoint, as it is called for one milestone; `bad` is a body that would be refused. */
const endpoints = [
  { method: 'GET', one: false, succeeds: 200 },
  { method: 'GET', one: true, succeeds: 200 },
  { method: 'POST', one: false, succeeds: 201, body: { name: 'x' }, bad: { name: '' } },
  { method: 'PATCH', one: true, succeeds: 200, body: { name: 'x' }, bad: { status: 'done' } },
  { method: 'DELETE', one: true, succeeds: 204 },
] as const
const rows = endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.one ? 'one' : 'all'}`, endpoint] as const)

const pathTo = (projectId: string, id: string | null) =>
  `/v1/projects/${projectId}/milestones${id === null ? '' : `/${id}`}`

describe.each(rows)('%s', (_, endpoint) => {
  const { method, one, succeeds } = endpoint
  const body = 'body' in endpoint ? { body: endpoint.body } : {}
  const bad = 'bad' in endpoint ? { body: endpoint.bad } : {}
  const target = async () => pathTo(project.id, one ? (await makeMilestone(server, project)).id : null)

  it.each([['admin'], ['member']] as const)(
    'is open to an %s',
    { tags: ['spec:authentication/permission-manage-milestones'] },
    async (role) => {
      const { token } = await makeMember(server, project.id, role)
      expect((await server.request(method, await target(), { token, ...body })).status).toBe(succeeds)
    },
  )

  it(
    'is for viewers and CI tokens only where it reads',
    { tags: ['spec:authentication/permission-manage-milestones', 'spec:errors/403-milestones'] },
    async () => {
      const tokens = [
        (await makeMember(server, project.id, 'viewer')).token,
        await makeCiToken(server, project, 'write'),
        await makeCiToken(server, project, 'read'),
      ]
      const statuses: number[] = []
      for (const token of tokens)
        statuses.push((await server.request(method, await target(), { token, ...bad })).status)
      expect(statuses).toEqual(method === 'GET' ? [200, 200, 200] : [403, 403, 403])
    },
  )

  it('is closed to strangers and to CI tokens of other projects, who learn nothing', async () => {
    const tokens = [(await makeUser(server)).token, await makeCiToken(server, await makeProject(server))]
    for (const token of tokens) {
      const path = one ? pathTo(project.id, uuidv7()) : pathTo(project.id, null)
      await server.expectProblem(403, method, path, { token, ...bad })
    }
  })

  it(
    'asks for the token first, then for the project',
    { tags: ['spec:errors/404-milestones-no-such-project'] },
    async () => {
      const { token } = await makeUser(server)
      const path = pathTo(uuidv7(), one ? uuidv7() : null)
      await server.expectProblem(401, method, path, bad)
      await server.expectProblem(404, method, path, { token, ...bad })
      await server.expectProblem(404, method, pathTo('x', one ? 'x' : null), { token, ...bad })
    },
  )

  it('answers 404 once the project is gone', async () => {
    const gone = await makeProject(server)
    const path = pathTo(gone.id, one ? (await makeMilestone(server, gone)).id : null)
    await server.db.deleteFrom('projects').where('id', '=', gone.id).execute()
    await server.expectProblem(404, method, path, { token: gone.admin.token, ...body })
  })
})

describe('PATCH', () => {
  const path = () => pathTo(project.id, uuidv7())

  it.each([[{ status: 'done' }], [{ start_date: '2026-11-21', due_date: '2026-11-20' }]])(
    'says that %j is wrong before it says that there is no such milestone',
    async (body) => {
      await server.expectProblem(400, 'PATCH', path(), { token: project.admin.token, body })
    },
  )

  it(
    'does not find an unknown milestone for a body that is right',
    { tags: ['spec:errors/404-milestones-no-such-milestone'] },
    async () => {
      await server.expectProblem(404, 'PATCH', path(), { token: project.admin.token, body: { status: 'active' } })
    },
  )

  it('is closed to personal tokens that only read, also for an admin', async () => {
    const reader = await makeUser(server, { access: 'read' })
    const membership = { project_id: project.id, user_id: reader.id, role: 'admin' } as const
    await server.db.insertInto('memberships').values(membership).execute()
    expect((await server.request('GET', pathTo(project.id, null), { token: reader.token })).status).toBe(200)
    const problem = await server.expectProblem(403, 'PATCH', path(), { token: reader.token, body: {} })
    expect(problem.code).toBe('read_only_token')
  })
})

describe('the rate limit', () => {
  it(
    'is one bucket for all milestone endpoints of a token, and none for other tokens and groups',
    { tags: ['spec:limits/60-requests-a-minute-for-milestones'] },
    async () => {
      const strict = await startTestServer({ rateLimit: 3 })
      try {
        const busy = await makeProject(strict)
        const { token } = busy.admin
        const { token: other } = await makeMember(strict, busy.id, 'viewer')
        const all = pathTo(busy.id, null)
        const made = await strict.request<{ id: string }>('POST', all, { token, body: { name: 'x' } })
        const single = pathTo(busy.id, made.body.id)
        await strict.request('PATCH', single, { token, body: { name: 'y' } })
        const last = await strict.request('GET', single, { token })
        expect([last.status, last.headers.get('ratelimit-limit'), last.headers.get('ratelimit-remaining')]).toEqual([
          200,
          '3',
          '0',
        ])
        for (const { method, one } of endpoints) {
          const answer = await strict.request(method, one ? single : all, { token })
          expect([answer.status, answer.body['code']]).toEqual([429, 'rate_limit_exceeded'])
          expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
        }
        expect((await strict.request('GET', single, { token: other })).status).toBe(200)
        expect((await strict.request('GET', `/v1/projects/${busy.id}`, { token })).status).toBe(200)
      } finally {
        await strict.close()
      }
    },
  )
})

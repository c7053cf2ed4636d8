import type { Project } from '@caseward/contract/projects'
import { describe, expect, it } from 'vitest'

import { makeInvitation, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'

const server = useTestServer()

describe('POST /v1/projects', () => {
  it(
    'creates a project with counts of zero and its creator as the only member',
    {
      tags: [
        'spec:service/stores-projects',
        'spec:projects/name-the-display-name',
        'spec:projects/member_count-is-in-the-answer-to-a-creation',
        'spec:projects/post-answers-counts-of-0-0-and-1-member',
      ],
    },
    async () => {
      const { token } = await makeUser(server)
      const answer = await server.request<{ data: Record<string, unknown> }>('POST', '/v1/projects', {
        token,
        body: { name: '  Web shop ', prefix: 'WEB' },
      })
      expect(answer.status).toBe(201)
      expect(answer.body.data).toMatchObject({
        name: 'Web shop',
        prefix: 'WEB',
        test_case_count: 0,
        run_count: 0,
        member_count: 1,
      })
      expect(answer.body.data).toMatchObject({ id: expect.any(String), created_at: expect.any(String) })
      const { id } = answer.body.data
      const read = await server.request('GET', `/v1/projects/${String(id)}`, { token })
      expect(read.body['data']).toMatchObject(answer.body.data)
    },
  )

  it.each(['AB', 'WEB', 'SHOP', 'SHOPS'])(
    'takes the prefix %s',
    {
      tags: [
        'spec:projects/prefix-2-to-5-uppercase-letters',
        'spec:projects/post-prefix-of-2-to-5-uppercase-letters',
        'spec:limits/prefix-of-2-to-5-uppercase-letters',
      ],
    },
    async (prefix) => {
      const { token } = await makeUser(server)
      const answer = await server.request('POST', '/v1/projects', { token, body: { name: 'x', prefix } })
      expect([answer.status, answer.body['data']]).toMatchObject([201, { prefix }])
    },
  )

  it(
    'keeps the description that is sent',
    { tags: ['spec:projects/further-configuration-of-a-project-decided'] },
    async () => {
      const { token } = await makeUser(server)
      const body = { name: 'x', prefix: 'WEB', description: 'Everything a customer sees' }
      const made = await server.request<{ data: { id: string } }>('POST', '/v1/projects', { token, body })
      const read = await server.request('GET', `/v1/projects/${made.body.data.id}`, { token })
      expect(read.body['data']).toMatchObject(body)
    },
  )

  it.each([['w'], ['web'], ['WEBSHO'], ['W1'], [''], [5], [null]])(
    'refuses the prefix %j and names the field',
    {
      tags: [
        'spec:projects/prefix-2-to-5-uppercase-letters',
        'spec:projects/post-prefix-of-2-to-5-uppercase-letters',
        'spec:limits/prefix-of-2-to-5-uppercase-letters',
      ],
    },
    async (prefix) => {
      const { token } = await makeUser(server)
      const problem = await server.expectProblem(400, 'POST', '/v1/projects', { token, body: { name: 'x', prefix } })
      expect(problem.errors).toEqual([{ path: '/prefix', message: expect.any(String) }])
    },
  )

  it(
    'names every bad field at once',
    { tags: ['spec:projects/post-name-is-required', 'spec:projects/post-prefix-is-required'] },
    async () => {
      const { token } = await makeUser(server)
      const problem = await server.expectProblem(400, 'POST', '/v1/projects', {
        token,
        body: { name: ' ', description: 'a\0b' },
      })
      expect(problem.errors?.map(({ path }) => path).toSorted()).toEqual(['/description', '/name', '/prefix'])
    },
  )
})

describe('GET /v1/projects', () => {
  it(
    'lists the projects of the caller alone, the most recently updated first',
    {
      tags: [
        'spec:projects/get-all-those-that-the-caller-can-reach',
        'spec:projects/get-all-the-most-recently-updated-first',
      ],
    },
    async () => {
      const first = await makeProject(server, { name: 'First' })
      const { token } = first.admin
      await makeProject(server, { name: 'Second', token })
      await makeProject(server, { name: 'Somebody else’s' })
      await server.request('PATCH', `/v1/projects/${first.id}`, { token, body: { description: 'new' } })
      const { body } = await server.request<{ data: { name: string }[]; meta: unknown }>('GET', '/v1/projects', {
        token,
      })
      expect(body.data.map(({ name }) => name)).toEqual(['First', 'Second'])
      expect(body.meta).toEqual({ page: 1, per_page: 20, total: 2 })
    },
  )

  it(
    'gives each as it is read alone, without description and member_count',
    {
      tags: [
        'spec:projects/description-is-absent-from-list-items',
        'spec:projects/test_case_count-integer',
        'spec:projects/run_count-integer',
        'spec:projects/member_count-is-absent-from-list-items',
        'spec:projects/get-all-items-without-description-and',
      ],
    },
    async () => {
      const project = await makeProject(server)
      await makeTestCases(server, project, 3)
      await makeRun(server, project)
      const { token } = project.admin
      const read = await server.request<{ data: Project }>('GET', `/v1/projects/${project.id}`, { token })
      const { description: _d, member_count: _m, ...item } = read.body.data
      const { body } = await server.request('GET', '/v1/projects', { token })
      expect(body['data']).toEqual([item])
      expect(item).toMatchObject({ test_case_count: 3, run_count: 1 })
    },
  )

  it.each([['page=0'], ['page=-1'], ['page=1.5'], ['page=x'], ['page=1e400'], ['per_page=0'], ['per_page=101']])(
    'refuses ?%s',
    async (query) => {
      const { token } = await makeUser(server)
      await server.expectProblem(400, 'GET', `/v1/projects?${query}`, { token })
    },
  )

  it('answers a page past the end with no items and the true total', async () => {
    const { admin } = await makeProject(server)
    const { body } = await server.request('GET', '/v1/projects?page=9007199254740991', { token: admin.token })
    expect(body).toMatchObject({ data: [], meta: { total: 1 } })
  })
})

describe('a project', () => {
  it(
    'is read with exactly its fields: description and counts, too',
    {
      tags: [
        'spec:conventions/a-single-project-is-wrapped-in-data',
        'spec:conventions/success-codes-not-stated-decided-201-for-what',
        'spec:projects/id-string',
        'spec:projects/name-the-display-name',
        'spec:projects/description-is-in-the-single-read',
        'spec:projects/test_case_count-integer',
        'spec:projects/run_count-integer',
        'spec:projects/member_count-is-in-the-single-read',
        'spec:projects/created_at-timestamp',
        'spec:projects/get-one-with-description-and-member_count',
      ],
    },
    async () => {
      const project = await makeProject(server, { name: 'Web shop' })
      const { token } = project.admin
      const path = `/v1/projects/${project.id}`
      await server.request('PATCH', path, { token, body: { description: 'Sells' } })
      await makeTestCases(server, project, 3)
      await makeRun(server, project)
      const { status, body } = await server.request('GET', path, { token })
      expect(status).toBe(200)
      expect(body).toEqual({
        data: {
          id: project.id,
          name: 'Web shop',
          prefix: 'WEB',
          description: 'Sells',
          test_case_count: 3,
          run_count: 1,
          member_count: 1,
          created_at: project.created_at,
          updated_at: expect.any(String),
        },
      })
    },
  )

  it('counts who joins and who leaves', { tags: ['spec:projects/member_count-is-in-the-single-read'] }, async () => {
    const project = await makeProject(server)
    const { token } = project.admin
    const path = `/v1/projects/${project.id}`
    const count = async () => (await server.request<{ data: Project }>('GET', path, { token })).body.data.member_count
    const guest = await makeUser(server)
    const { secret } = await makeInvitation(server, project, { email: guest.email })
    await server.request('POST', `/v1/invitations/${secret}/accept`, { token: guest.token })
    expect(await count()).toBe(2)
    await server.request('DELETE', `${path}/members/${guest.id}`, { token })
    expect(await count()).toBe(1)
  })

  it(
    'keeps its prefix when it is updated, and answers with exactly what may change',
    {
      tags: [
        'spec:conventions/success-codes-not-stated-decided-201-for-what',
        'spec:projects/description-is-in-the-answer-to-an-update',
        'spec:projects/further-configuration-of-a-project-decided',
        'spec:projects/patch-answers-id-name-prefix-description',
      ],
    },
    async () => {
      const project = await makeProject(server)
      const body = { name: 'New name', prefix: 'NEW' }
      const answer = await server.request('PATCH', `/v1/projects/${project.id}`, { token: project.admin.token, body })
      expect([answer.status, answer.body]).toEqual([
        200,
        { data: { id: project.id, name: 'New name', prefix: 'WEB', description: '', updated_at: expect.any(String) } },
      ])
    },
  )

  it.each([
    [{ name: 'New name' }, { name: 'New name', description: 'Old' }],
    [{ description: 'New' }, { name: 'Web shop', description: 'New' }],
    [{}, { name: 'Web shop', description: 'Old' }],
  ])(
    'changes only the fields sent: %j',
    {
      tags: [
        'spec:conventions/updates-change-only-the-fields-sent',
        'spec:projects/patch-name-is-optional',
        'spec:projects/patch-description-is-optional',
      ],
    },
    async (body, expected) => {
      const project = await makeProject(server, { name: 'Web shop' })
      const { token } = project.admin
      const path = `/v1/projects/${project.id}`
      await server.request('PATCH', path, { token, body: { description: 'Old' } })
      expect((await server.request('PATCH', path, { token, body })).body['data']).toMatchObject(expected)
      expect((await server.request('GET', path, { token })).body['data']).toMatchObject(expected)
    },
  )

  it('moves its updated_at when it is updated', { tags: ['spec:projects/updated_at-timestamp'] }, async () => {
    const project = await makeProject(server)
    const options = { token: project.admin.token, body: { description: 'New' } }
    const { body } = await server.request<{ data: Project }>('PATCH', `/v1/projects/${project.id}`, options)
    expect(body.data.updated_at > project.updated_at).toBe(true)
  })

  it(
    'does not move its updated_at for test cases',
    { tags: ['spec:projects/further-configuration-of-a-project-decided'] },
    async () => {
      const project = await makeProject(server)
      await makeTestCases(server, project, 1)
      const { body } = await server.request('GET', `/v1/projects/${project.id}`, { token: project.admin.token })
      expect(body['data']).toMatchObject({ updated_at: project.updated_at })
    },
  )

  it(
    'is gone with everything in it once deleted',
    {
      tags: ['spec:projects/delete-answers-a-message', 'spec:projects/delete-takes-test-cases-runs-and-results-along'],
    },
    async () => {
      const project = await makeProject(server)
      await makeTestCases(server, project, 2)
      const run = await makeRun(server, project)
      const { token } = project.admin
      const answer = await server.request('DELETE', `/v1/projects/${project.id}`, { token })
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({ message: expect.any(String) })
      await server.expectProblem(404, 'GET', `/v1/projects/${project.id}`, { token })
      await server.expectProblem(404, 'GET', `/v1/projects/${project.id}/test-cases/WEB-1`, { token })
      await server.expectProblem(404, 'GET', `/v1/runs/${run.id}`, { token })
      await server.expectProblem(404, 'GET', `/v1/runs/${run.id}/results`, { token })
      for (const table of ['test_cases', 'runs', 'test_results', 'memberships'] as const) {
        const left = await server.db
          .selectFrom(table)
          .select('project_id')
          .where('project_id', '=', project.id)
          .execute()
        expect([table, left]).toEqual([table, []])
      }
    },
  )

  it('is 404 when there is none, also for an id of the wrong form, and 403 for a stranger', async () => {
    const project = await makeProject(server)
    const { token } = await makeUser(server)
    await server.expectProblem(404, 'GET', '/v1/projects/not-an-id', { token })
    await server.expectProblem(404, 'GET', '/v1/projects/01a1fc2b-5f29-7584-9e03-d27674921b66', { token })
    await server.expectProblem(403, 'GET', `/v1/projects/${project.id}`, { token })
  })

  it(
    'may be changed and deleted by its admins only',
    { tags: ['spec:authentication/permission-project-settings-delete-project'] },
    async () => {
      const project = await makeProject(server)
      for (const role of ['member', 'viewer'] as const) {
        const { token } = await makeMember(server, project.id, role)
        await server.expectProblem(403, 'PATCH', `/v1/projects/${project.id}`, { token, body: { name: '' } })
        await server.expectProblem(403, 'DELETE', `/v1/projects/${project.id}`, { token })
      }
    },
  )
})

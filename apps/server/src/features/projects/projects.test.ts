import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { makeCases, makeMember, makeProject, makeRun, makeUser } from '../../../test/make.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

describe('POST /v1/projects', () => {
  it('creates a project with counts of zero and its creator as the only member', async () => {
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
  })

  it.each([['w'], ['web'], ['WEBSHO'], ['W1'], [''], [5], [null]])(
    'refuses the prefix %j and names the field',
    async (prefix) => {
      const { token } = await makeUser(server)
      const problem = await server.refused(400, 'POST', '/v1/projects', { token, body: { name: 'x', prefix } })
      expect(problem.errors).toEqual([{ path: '/prefix', message: expect.any(String) }])
    },
  )

  it('names every bad field at once', async () => {
    const { token } = await makeUser(server)
    const problem = await server.refused(400, 'POST', '/v1/projects', {
      token,
      body: { name: ' ', description: 'a\0b' },
    })
    expect(problem.errors?.map(({ path }) => path).toSorted()).toEqual(['/description', '/name', '/prefix'])
  })
})

describe('GET /v1/projects', () => {
  it('lists the projects of the caller alone, the most recently updated first', async () => {
    const first = await makeProject(server, { name: 'First' })
    const { token } = first.admin
    await makeProject(server, { name: 'Second', token })
    await makeProject(server, { name: 'Somebody else’s' })
    await server.request('PATCH', `/v1/projects/${first.id}`, { token, body: { description: 'new' } })
    const { body } = await server.request<{ data: { name: string }[]; meta: unknown }>('GET', '/v1/projects', { token })
    expect(body.data.map(({ name }) => name)).toEqual(['First', 'Second'])
    expect(body.meta).toEqual({ page: 1, per_page: 20, total: 2 })
    expect(Object.keys(body.data[0] ?? {}).toSorted()).toEqual([
      'created_at',
      'id',
      'name',
      'prefix',
      'run_count',
      'test_case_count',
      'updated_at',
    ])
  })

  it.each([['page=0'], ['page=-1'], ['page=1.5'], ['page=x'], ['page=1e400'], ['per_page=0'], ['per_page=101']])(
    'refuses ?%s',
    async (query) => {
      const { token } = await makeUser(server)
      await server.refused(400, 'GET', `/v1/projects?${query}`, { token })
    },
  )

  it('answers a page past the end with no items and the true total', async () => {
    const { admin } = await makeProject(server)
    const { body } = await server.request('GET', '/v1/projects?page=9007199254740991', { token: admin.token })
    expect(body).toMatchObject({ data: [], meta: { total: 1 } })
  })
})

describe('a project', () => {
  it('is read with its description and counts', async () => {
    const project = await makeProject(server)
    await makeCases(server, project, 3)
    await makeRun(server, project)
    const { body } = await server.request('GET', `/v1/projects/${project.id}`, { token: project.admin.token })
    expect(body['data']).toMatchObject({ description: '', test_case_count: 3, run_count: 1, member_count: 1 })
  })

  it('keeps its prefix and what is not sent when it is updated', async () => {
    const project = await makeProject(server)
    const body = { name: 'New name', prefix: 'NEW' }
    const answer = await server.request('PATCH', `/v1/projects/${project.id}`, { token: project.admin.token, body })
    expect(answer.body['data']).toMatchObject({ id: project.id, name: 'New name', prefix: 'WEB', description: '' })
    expect(Object.keys(answer.body['data'] as object).toSorted()).toEqual([
      'description',
      'id',
      'name',
      'prefix',
      'updated_at',
    ])
  })

  it('does not move its updated_at for test cases', async () => {
    const project = await makeProject(server)
    await makeCases(server, project, 1)
    const { body } = await server.request('GET', `/v1/projects/${project.id}`, { token: project.admin.token })
    expect(body['data']).toMatchObject({ updated_at: project.updated_at })
  })

  it('is gone with everything in it once deleted', async () => {
    const project = await makeProject(server)
    await makeCases(server, project, 2)
    const run = await makeRun(server, project)
    const { token } = project.admin
    const answer = await server.request('DELETE', `/v1/projects/${project.id}`, { token })
    expect(answer.status).toBe(200)
    expect(answer.body['message']).toEqual(expect.any(String))
    await server.refused(404, 'GET', `/v1/projects/${project.id}`, { token })
    await server.refused(404, 'GET', `/v1/runs/${run.id}/results`, { token })
    const left = await server.db.selectFrom('test_results').select('id').where('project_id', '=', project.id).execute()
    expect(left).toEqual([])
  })

  it('is 404 when there is none, also for an id of the wrong form, and 403 for a stranger', async () => {
    const project = await makeProject(server)
    const { token } = await makeUser(server)
    await server.refused(404, 'GET', '/v1/projects/not-an-id', { token })
    await server.refused(404, 'GET', '/v1/projects/01a1fc2b-5f29-7584-9e03-d27674921b66', { token })
    await server.refused(403, 'GET', `/v1/projects/${project.id}`, { token })
  })

  it('may be changed and deleted by its admins only', async () => {
    const project = await makeProject(server)
    for (const role of ['member', 'viewer'] as const) {
      const { token } = await makeMember(server, project.id, role)
      await server.refused(403, 'PATCH', `/v1/projects/${project.id}`, { token, body: { name: '' } })
      await server.refused(403, 'DELETE', `/v1/projects/${project.id}`, { token })
    }
  })
})

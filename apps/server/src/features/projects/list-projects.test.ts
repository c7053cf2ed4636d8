import type { Project } from '@caseward/contract/projects'
import { describe, expect, it } from 'vitest'

import { makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'

const server = useSharedServer()

describe('GET /v1/projects', () => {
  it(
    'lists only the caller’s projects, the most recently updated first',
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
    'lists each project as the single read returns it, without description and member_count',
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
    'returns 400 for the query ?%s',
    async (query) => {
      const { token } = await makeUser(server)
      await server.expectProblem(400, 'GET', `/v1/projects?${query}`, { token })
    },
  )

  it('returns no items and the total for a page past the end', async () => {
    const { admin } = await makeProject(server)
    const { body } = await server.request('GET', '/v1/projects?page=9007199254740991', { token: admin.token })
    expect(body).toMatchObject({ data: [], meta: { total: 1 } })
  })
})

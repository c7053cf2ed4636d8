import { describe, expect, it } from 'vitest'

import { useSharedServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'

const server = useSharedServer()

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
      const response = await server.request<{ data: Record<string, unknown> }>('POST', '/v1/projects', {
        token,
        body: { name: '  Web shop ', prefix: 'WEB' },
      })
      expect(response.status).toBe(201)
      expect(response.body.data).toMatchObject({
        name: 'Web shop',
        prefix: 'WEB',
        test_case_count: 0,
        run_count: 0,
        member_count: 1,
      })
      expect(response.body.data).toMatchObject({ id: expect.any(String), created_at: expect.any(String) })
      const { id } = response.body.data
      const read = await server.request('GET', `/v1/projects/${String(id)}`, { token })
      expect(read.body['data']).toMatchObject(response.body.data)
    },
  )

  it.each(['AB', 'WEB', 'SHOP', 'SHOPS'])(
    'accepts the prefix %s',
    {
      tags: [
        'spec:projects/prefix-2-to-5-uppercase-letters',
        'spec:projects/post-prefix-of-2-to-5-uppercase-letters',
        'spec:limits/prefix-of-2-to-5-uppercase-letters',
      ],
    },
    async (prefix) => {
      const { token } = await makeUser(server)
      const response = await server.request('POST', '/v1/projects', { token, body: { name: 'x', prefix } })
      expect([response.status, response.body['data']]).toMatchObject([201, { prefix }])
    },
  )

  it('stores the description', { tags: ['spec:projects/further-configuration-of-a-project-decided'] }, async () => {
    const { token } = await makeUser(server)
    const body = { name: 'x', prefix: 'WEB', description: 'Everything a customer sees' }
    const created = await server.request<{ data: { id: string } }>('POST', '/v1/projects', { token, body })
    const read = await server.request('GET', `/v1/projects/${created.body.data.id}`, { token })
    expect(read.body['data']).toMatchObject(body)
  })

  it.each([['w'], ['web'], ['WEBSHO'], ['W1'], [''], [5], [null]])(
    'returns 400 with the field for the prefix %j',
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
    'returns 400 with every invalid field',
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

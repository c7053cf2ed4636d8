import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { makeCiToken, makeMilestone, makeProject } from '@caseward/test-support/factories'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'
import { readConfig } from '../config.ts'

let server: TestServer
beforeAll(async () => {
  const { rateLimit, rateLimitOther } = readConfig({})
  server = await startTestServer({ rateLimit, rateLimitOther })
})
afterAll(() => server.close())

type Project = Awaited<ReturnType<typeof makeProject>>

/** The groups that have a limit of their own, with each of their endpoints. */
const groups: [string, (project: Project) => Promise<[string, string, object?][]>][] = [
  [
    'milestone endpoints',
    async (project) => {
      const path = `/v1/projects/${project.id}/milestones`
      const { id } = await makeMilestone(server, project) // counts as one
      return [
        ['GET', path],
        ['POST', path, { name: 'x' }],
        ['GET', `${path}/${id}`],
        ['PATCH', `${path}/${id}`, { name: 'x' }],
      ]
    },
  ],
  [
    'member endpoints',
    async (project) => {
      const path = `/v1/projects/${project.id}/members`
      const { id } = await makeMember(server, project.id, 'viewer')
      await server.request('GET', path, project.admin)
      return [
        ['GET', path],
        ['POST', `${path}/invite`, { email: 'mira@example.test', role: 'viewer' }],
        ['PATCH', `${path}/${id}`, { role: 'member' }],
        ['DELETE', `${path}/${project.admin.id}`],
      ]
    },
  ],
  [
    'CI upload',
    async (project) => {
      await server.request('POST', '/v1/results', { token: project.admin.token, body: {} })
      return [['POST', '/v1/results', {}]]
    },
  ],
]

describe.each(groups)('%s', (name, listEndpoints) => {
  it(
    'take 60 requests a minute from a token, all together, and answer 429 with Retry-After to any more',
    {
      tags: [
        'spec:errors/429-milestones-members-ci-upload',
        'spec:errors/429-ci-upload-sends-retry-after',
        'spec:limits/60-requests-a-minute-for-milestones',
        'spec:limits/60-requests-a-minute-for-members',
        'spec:limits/60-requests-a-minute-for-ci-upload',
      ],
    },
    async () => {
      const project = await makeProject(server)
      const endpoints = await listEndpoints(project)
      const { token } = project.admin
      const call = ([method, path, body]: [string, string, object?]) => server.request(method, path, { token, body })
      const taken: number[] = []
      for (let count = 1; count < 60; count += 1) {
        const endpoint = endpoints[count % endpoints.length]
        if (endpoint !== undefined) taken.push((await call(endpoint)).status)
      }
      expect([taken.length, taken.filter((status) => status === 429)]).toEqual([59, []])
      for (const endpoint of endpoints) {
        const { status, headers, body } = await call(endpoint)
        expect([endpoint[0], status, body['code']]).toEqual([endpoint[0], 429, 'rate_limit_exceeded'])
        expect(headers.get('ratelimit-limit')).toBe('60')
        expect(headers.get('retry-after')).toMatch(/^(?:[1-9]|[1-5]\d|60)$/)
      }
    },
  )

  it(
    'leave room to the same token in the other groups, and to other tokens in this one',
    { tags: ['spec:limits/for-each-token-and-each-of-the-three-apart'] },
    async () => {
      const project = await makeProject(server)
      const own = await listEndpoints(project)
      const ask = async ([method, path, body]: [string, string, object?], token: string) =>
        (await server.request(method, path, { token, body })).status
      const [first] = own
      if (first === undefined) throw new Error('no endpoint')
      await Promise.all(Array.from({ length: 60 }, () => ask(first, project.admin.token)))
      expect(await ask(first, project.admin.token)).toBe(429)
      expect(await ask(first, (await makeMember(server, project.id, 'viewer')).token)).not.toBe(429)
      expect(await ask(first, await makeCiToken(server, project))).not.toBe(429)
      for (const [other, endpointsOfOther] of groups) {
        if (other === name) continue
        for (const endpoint of await endpointsOfOther(project)) {
          expect([other, await ask(endpoint, project.admin.token)]).not.toEqual([other, 429])
        }
      }
    },
  )
})

describe('everything else', () => {
  it(
    'takes 600 requests a minute from a token',
    { tags: ['spec:limits/rates-of-other-endpoints-decided-600'] },
    async () => {
      const { token } = await makeUser(server)
      const { headers } = await server.request('GET', '/v1/projects', { token })
      expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['600', '599'])
    },
  )
})

import { describe, expect, it } from 'vitest'

import { makeCiToken, makeMilestone, makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember, makeUser } from '@caseward/test-support/users'
import { readConfig } from '../config.ts'

const { rateLimit, rateLimitOther } = readConfig({})
const server = useTestServer({ rateLimit, rateLimitOther })

type Project = Awaited<ReturnType<typeof makeProject>>

/** The groups with a limit of their own, and their endpoints. */
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
        ['POST', `${path}/invite`, { email: `mira@${project.id}.test`, role: 'viewer' }],
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

describe.each(groups)('the rate limit of %s', (name, listEndpoints) => {
  it(
    'allows 60 requests per minute and token in total, then returns 429 with Retry-After',
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
      const statuses: number[] = []
      for (let count = 1; count < 60; count += 1) {
        const endpoint = endpoints[count % endpoints.length]
        if (endpoint !== undefined) statuses.push((await call(endpoint)).status)
      }
      expect([statuses.length, statuses.filter((status) => status === 429)]).toEqual([59, []])
      for (const endpoint of endpoints) {
        const { status, headers, body } = await call(endpoint)
        expect([endpoint[0], status, body['code']]).toEqual([endpoint[0], 429, 'rate_limit_exceeded'])
        expect(headers.get('ratelimit-limit')).toBe('60')
        expect(headers.get('retry-after')).toMatch(/^(?:[1-9]|[1-5]\d|60)$/)
      }
    },
  )

  it(
    'does not affect other groups or other tokens',
    { tags: ['spec:limits/for-each-token-and-each-of-the-three-apart'] },
    async () => {
      const project = await makeProject(server)
      const [first] = await listEndpoints(project)
      const getStatus = async ([method, path, body]: [string, string, object?], token: string) =>
        (await server.request(method, path, { token, body })).status
      if (first === undefined) throw new Error('no endpoint')
      await Promise.all(Array.from({ length: 60 }, () => getStatus(first, project.admin.token)))
      expect(await getStatus(first, project.admin.token)).toBe(429)
      expect(await getStatus(first, (await makeMember(server, project.id, 'viewer')).token)).not.toBe(429)
      expect(await getStatus(first, await makeCiToken(server, project))).not.toBe(429)
      for (const [other, listOtherEndpoints] of groups) {
        if (other === name) continue
        for (const endpoint of await listOtherEndpoints(project)) {
          expect([other, await getStatus(endpoint, project.admin.token)]).not.toEqual([other, 429])
        }
      }
    },
  )
})

describe('the rate limit of all other endpoints', () => {
  it(
    'allows 600 requests per minute and token',
    { tags: ['spec:limits/rates-of-other-endpoints-decided-600'] },
    async () => {
      const { token } = await makeUser(server)
      const { headers } = await server.request('GET', '/v1/projects', { token })
      expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['600', '599'])
    },
  )
})

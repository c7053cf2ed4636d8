import { describe, expect, it } from 'vitest'

import { makeCiToken, makeProject } from '@caseward/test-support/factories'
import type { RequestOptions } from '@caseward/test-support/send-request'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeSignedInUser, makeUser, openSignedInBrowser } from '@caseward/test-support/users'

const server = useTestServer({ rateLimit: 3, rateLimitOther: 5 })

const upload = (token: string, options: RequestOptions = {}) =>
  server.request('POST', '/v1/results', { token, body: {}, ...options })
const listProjects = (token: string) => server.request('GET', '/v1/projects', { token })
const getLimits = ({ headers }: { headers: Headers }) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`) ?? Number.NaN))

/** Sends requests until the limit is reached, and returns how many were allowed. */
async function countAllowed(send: () => Promise<{ status: number }>): Promise<number> {
  for (let allowed = 0; ; allowed += 1) if ((await send()).status === 429) return allowed
}

describe('a rate limit', () => {
  it(
    'sets the headers ratelimit-limit, -remaining and -reset on every response',
    { tags: ['spec:limits/a-minute-the-bucket-is-full-again-after-60'] },
    async () => {
      const { token } = await makeUser(server)
      const [limit, remaining, reset] = getLimits(await listProjects(token))
      expect([limit, remaining]).toEqual([5, 4])
      expect(reset).toBeGreaterThan(50)
      expect(reset).toBeLessThanOrEqual(60)
      expect(getLimits(await listProjects(token))[1]).toBe(3)
    },
  )

  it('sets the headers on error responses, which count as well', async () => {
    const { token } = await makeUser(server)
    const responses = [
      await server.request('GET', '/v1/projects?page=0', { token }),
      await server.request('GET', '/v1/projects/nonsense', { token }),
      await server.request('POST', '/v1/projects', {
        token,
        headers: { 'content-type': 'application/json' },
        body: '{',
      }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([400, 404, 400])
    expect(responses.map((response) => getLimits(response)[1])).toEqual([4, 3, 2])
  })

  it(
    'returns a 429 problem with Retry-After when it is reached',
    { tags: ['spec:errors/errors-of-the-other-endpoints-decided'] },
    async () => {
      const { token } = await makeUser(server)
      expect(await countAllowed(() => listProjects(token))).toBe(5)
      const response = await listProjects(token)
      expect(response.status).toBe(429)
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(response.body).toMatchObject({ status: 429, code: 'rate_limit_exceeded' })
      const retryAfter = response.headers.get('retry-after')
      expect(retryAfter).toMatch(/^[1-9]\d?$/)
      expect(getLimits(response)).toEqual([5, 0, Number(retryAfter)])
    },
  )

  it(
    'counts each token separately, also of the same user or project',
    { tags: ['spec:limits/for-each-token-and-each-of-the-three-apart'] },
    async () => {
      const project = await makeProject(server)
      const ci = [await makeCiToken(server, project), await makeCiToken(server, project)]
      for (const token of ci) expect(await countAllowed(() => upload(token))).toBe(3)
      const { body } = await server.request<{ data: { token: string } }>('POST', '/v1/tokens', {
        token: project.admin.token,
        body: { name: 'second' },
      })
      await countAllowed(() => listProjects(project.admin.token))
      expect((await listProjects(body.data.token)).status).toBe(200)
    },
  )

  it('counts each session separately, also of the same user', async () => {
    const { browser, email } = await makeSignedInUser(server)
    expect(await countAllowed(() => browser.get('/v1/projects'))).toBe(5)
    expect((await (await openSignedInBrowser(server, email)).get('/v1/projects')).status).toBe(200)
  })

  it('counts uploads separately from other requests', async () => {
    const token = await makeCiToken(server, await makeProject(server))
    expect(await countAllowed(() => upload(token))).toBe(3)
    expect(await countAllowed(() => listProjects(token))).toBe(5)
  })

  it('is checked after the token and before the project, the permission and the body', async () => {
    const { token } = await makeUser(server)
    await countAllowed(() => listProjects(token))
    await server.expectProblem(429, 'GET', '/v1/projects/nonsense', { token })
    await server.expectProblem(429, 'POST', '/v1/projects', { token, body: 'bad' })
    await server.expectProblem(429, 'HEAD', '/v1/projects', { token }).catch(() => null)
    await server.expectProblem(401, 'GET', '/v1/projects', { token: `${token}x` })
  })

  it('does not count requests without a limit', async () => {
    const { token } = await makeUser(server)
    const response = await server.request('GET', '/healthz', { token })
    expect(response.headers.get('ratelimit-limit')).toBeNull()
    await server.expectProblem(404, 'GET', '/v1/nothing', { token })
    expect(getLimits(await listProjects(token))[1]).toBe(4)
  })

  it('allows the same number of requests when they are sent at the same time', async () => {
    const { token } = await makeUser(server)
    const responses = await Promise.all(Array.from({ length: 20 }, () => listProjects(token)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(5)
  })
})

import { describe, expect, it } from 'vitest'

import { makeCiToken, makeProject } from '@caseward/test-support/factories'
import type { RequestOptions } from '@caseward/test-support/send-request'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'

const server = useTestServer({ rateLimit: 3, rateLimitOther: 5 })

const upload = (token: string, options: RequestOptions = {}) =>
  server.request('POST', '/v1/results', { token, body: {}, ...options })
const list = (token: string) => server.request('GET', '/v1/projects', { token })
const getLimits = ({ headers }: { headers: Headers }) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`) ?? Number.NaN))

/** What a bucket still holds, by emptying it. */
async function emptied(call: () => Promise<{ status: number }>): Promise<number> {
  for (let taken = 0; ; taken += 1) if ((await call()).status === 429) return taken
}

describe('a bucket', () => {
  it(
    'tells on every answer how much it holds, how much is left, and when it is full again',
    { tags: ['spec:limits/a-minute-the-bucket-is-full-again-after-60'] },
    async () => {
      const { token } = await makeUser(server)
      const [limit, remaining, reset] = getLimits(await list(token))
      expect([limit, remaining]).toEqual([5, 4])
      expect(reset).toBeGreaterThan(50)
      expect(reset).toBeLessThanOrEqual(60)
      expect(getLimits(await list(token))[1]).toBe(3)
    },
  )

  it('tells so on refusals too', async () => {
    const { token } = await makeUser(server)
    const answers = [
      await server.request('GET', '/v1/projects?page=0', { token }),
      await server.request('GET', '/v1/projects/nonsense', { token }),
      await server.request('POST', '/v1/projects', {
        token,
        headers: { 'content-type': 'application/json' },
        body: '{',
      }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 404, 400])
    expect(answers.map((answer) => getLimits(answer)[1])).toEqual([4, 3, 2])
  })

  it(
    'that is empty answers 429 with Retry-After, as a problem',
    { tags: ['spec:errors/errors-of-the-other-endpoints-decided'] },
    async () => {
      const { token } = await makeUser(server)
      expect(await emptied(() => list(token))).toBe(5)
      const answer = await list(token)
      expect(answer.status).toBe(429)
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
      expect(answer.body).toMatchObject({ status: 429, code: 'rate_limit_exceeded' })
      const retryAfter = answer.headers.get('retry-after')
      expect(retryAfter).toMatch(/^[1-9]\d?$/)
      expect(getLimits(answer)).toEqual([5, 0, Number(retryAfter)])
    },
  )

  it(
    'is one for each token, also of the same user and project',
    { tags: ['spec:limits/for-each-token-and-each-of-the-three-apart'] },
    async () => {
      const project = await makeProject(server)
      const ci = [await makeCiToken(server, project), await makeCiToken(server, project)]
      for (const token of ci) expect(await emptied(() => upload(token))).toBe(3)
      const { body } = await server.request<{ data: { token: string } }>('POST', '/v1/tokens', {
        token: project.admin.token,
        body: { name: 'second' },
      })
      await emptied(() => list(project.admin.token))
      expect((await list(body.data.token)).status).toBe(200)
    },
  )

  it('is one for each group: uploads leave room for everything else', async () => {
    const token = await makeCiToken(server, await makeProject(server))
    expect(await emptied(() => upload(token))).toBe(3)
    expect(await emptied(() => list(token))).toBe(5)
  })

  it('comes after the token and before the project, the right and the body', async () => {
    const { token } = await makeUser(server)
    await emptied(() => list(token))
    await server.expectProblem(429, 'GET', '/v1/projects/nonsense', { token })
    await server.expectProblem(429, 'POST', '/v1/projects', { token, body: 'bad' })
    await server.expectProblem(429, 'HEAD', '/v1/projects', { token }).catch(() => null)
    await server.expectProblem(401, 'GET', '/v1/projects', { token: `${token}x` })
  })

  it('is not touched by what is not limited', async () => {
    const { token } = await makeUser(server)
    const answer = await server.request('GET', '/healthz', { token })
    expect(answer.headers.get('ratelimit-limit')).toBeNull()
    await server.expectProblem(404, 'GET', '/v1/nothing', { token })
    expect(getLimits(await list(token))[1]).toBe(4)
  })

  it('holds what it should also when requests come all at once', async () => {
    const { token } = await makeUser(server)
    const answers = await Promise.all(Array.from({ length: 20 }, () => list(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  })
})

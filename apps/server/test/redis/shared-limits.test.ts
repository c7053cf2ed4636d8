import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { makeCiToken, makeProject } from '@caseward/test-support/factories'
import { launchRedis, type TestRedis } from '@caseward/test-support/redis'
import type { TestServer } from '@caseward/test-support/test-server'
import { makeUser, makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { connectToRedis, getRemaining, listProjects, useRedisServers } from './redis-servers.ts'

const { launchServer } = useRedisServers()

let redis: TestRedis
let first: TestServer
let second: TestServer
beforeAll(async () => {
  redis = await launchRedis()
  const settings = {
    redisUrl: redis.url,
    rateLimit: 60,
    rateLimitOther: 60,
    rateLimitSignIn: 4,
    rateLimitInvalidTokens: 4,
    trustProxy: 1,
  }
  first = await launchServer(settings)
  second = await launchServer(settings)
})
afterAll(async () => {
  await first.close()
  await second.close()
  await redis.kill()
})

const trySignIn = async (server: TestServer, address: string, email: string) => {
  const browser = openBrowser(server, { 'x-forwarded-for': address })
  return (await browser.api('POST', '/v1/session', { email, password: 'not the right one' })).status
}

describe('rate limits of two servers with one Redis', () => {
  it.each(['milestones', 'members', 'runs', 'uploads'])(
    'allow 60 requests for %s on both servers together, then return 429 on either',
    async (group) => {
      const project = await makeProject(first)
      const token = group === 'uploads' ? await makeCiToken(first, project) : project.admin.token
      const send = (server: TestServer) =>
        group === 'uploads'
          ? server.request('POST', '/v1/results', { token, body: {} })
          : server.request('GET', `/v1/projects/${project.id}/${group}`, { token })
      // Runs share their limit with the request that created the project.
      for (let remaining = group === 'runs' ? 58 : 59; remaining >= 0; remaining -= 1) {
        const response = await send(remaining % 2 === 0 ? first : second)
        expect([response.status, getRemaining(response)]).toEqual([group === 'uploads' ? 400 : 200, remaining])
      }
      for (const server of [first, second]) {
        const { status, headers } = await send(server)
        const limits = ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`))
        const retryAfter = headers.get('retry-after')
        expect([status, ...limits]).toEqual([429, '60', '0', retryAfter])
        expect(Number(retryAfter)).toBeGreaterThan(30)
        expect(Number(retryAfter)).toBeLessThanOrEqual(60)
      }
    },
  )

  it('allow 60 of 100 requests that are sent to both servers at the same time', async () => {
    const { token } = await makeUser(first)
    const requests = Array.from({ length: 100 }, (_, index) => listProjects(index % 2 === 0 ? first : second, token))
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(60)
    expect(statuses.filter((status) => status === 429)).toHaveLength(40)
  })

  it('count failed sign-ins to an account from one address on both servers together', async () => {
    const statuses: number[] = []
    for (const server of [first, second, first, second, first, second]) {
      statuses.push(await trySignIn(server, '192.0.2.1', 'somebody@example.test'))
    }
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429])
  })

  it('count wrong passwords for one account from different addresses on both servers together', async () => {
    const statuses: number[] = []
    // Few at a time, so that none waits too long for its password to be checked.
    for (let start = 0; start < 50; start += 5) {
      const attempts = Array.from({ length: 5 }, (_, index) =>
        trySignIn(index % 2 === 0 ? first : second, `198.51.100.${start + index}`, 'ada@example.test'),
      )
      statuses.push(...(await Promise.all(attempts)))
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(40)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  })

  it('count no right passwords', async () => {
    const { email } = await makeUserWithPassword(first)
    const address = '198.51.101.1'
    for (const server of [first, second, first, second]) {
      const browser = openBrowser(server, { 'x-forwarded-for': address })
      expect((await browser.api('POST', '/v1/session', { email, password: PASSWORD })).status).toBe(201)
    }
    const keys = await connectToRedis(redis.url).keys('caseward:account-sign-in-failures:*')
    const counts = await Promise.all(keys.map((key) => connectToRedis(redis.url).get(key)))
    expect(counts.filter((count) => count === '0').length).toBeGreaterThan(0)
    expect(counts.filter((count) => Number(count) < 0)).toEqual([])
  })

  it('count invalid tokens from one address on both servers together', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const statuses: number[] = []
    for (const server of [first, second, first, second, first, second]) {
      statuses.push((await server.request('GET', '/v1/projects', { token: 'nonsense', headers })).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429])
    // A token that has not been used yet is not looked up.
    const { token } = await makeUser(first)
    expect((await second.request('GET', '/v1/projects', { token, headers })).status).toBe(429)
  })

  it('store keys that start with caseward, contain no email address and expire within a minute or, for an account, an hour', async () => {
    await listProjects(first, (await makeUser(first)).token)
    await trySignIn(first, '203.0.113.1', 'grace@example.test')
    const client = connectToRedis(redis.url)
    const keys = await client.keys('*')
    expect(keys.length).toBeGreaterThanOrEqual(3)
    for (const key of keys) {
      expect(key).toMatch(/^caseward:/)
      expect(key).not.toContain('grace')
      // -1 means that the key never expires, -2 that it has expired.
      const seconds = await client.ttl(key)
      expect(seconds).not.toBe(-1)
      expect(seconds).toBeLessThanOrEqual(key.startsWith('caseward:account-') ? 3600 : 60)
    }
  })
})

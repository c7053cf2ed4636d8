import { makeProject } from '@caseward/test-support/factories'
import { startServerForTest, type TestServer, useTestServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'
import { describe, expect, it } from 'vitest'

import { readConfig } from '../config.ts'
import { generateTokenSecret } from './secret.ts'

const { rateLimitInvalidTokens } = readConfig({})
const server = useTestServer({ rateLimitInvalidTokens, trustProxy: 1 })

let addressCount = 0

/** Sends requests from an address that no other test uses. */
function openAddress(to: TestServer = server) {
  addressCount += 1
  const headers = { 'x-forwarded-for': `198.51.100.${addressCount}` }
  return {
    get: (token: string) => to.request('GET', '/v1/projects', { token, headers }),
    async useUpLimit(): Promise<number[]> {
      const statuses: number[] = []
      while (statuses.length < 60) statuses.push((await this.get(generateTokenSecret('ci'))).status)
      return statuses
    },
  }
}

describe('requests with invalid tokens', () => {
  it('return 401 sixty times a minute for each address, then 429 with Retry-After', async () => {
    const address = openAddress()
    expect(new Set(await address.useUpLimit())).toEqual(new Set([401]))
    const { status, headers, body } = await address.get(generateTokenSecret('personal'))
    expect([status, body['code'], headers.get('ratelimit-limit')]).toEqual([429, 'rate_limit_exceeded', '60'])
    expect(headers.get('retry-after')).toMatch(/^(?:[1-9]|[1-5]\d|60)$/)
    expect((await openAddress().get(generateTokenSecret('personal'))).status).toBe(401)
  })

  it.each([
    ['with a wrong checksum', `cwp_${'x'.repeat(49)}`],
    ['without the format of a token', 'nonsense'],
  ])('count %s', async (_what, token) => {
    const address = openAddress()
    expect((await address.get(token)).headers.get('ratelimit-remaining')).toBe('59')
    await address.useUpLimit()
    expect((await address.get(token)).status).toBe(429)
  })

  it('are not looked up in the database above the limit, even if the token is valid', async () => {
    const address = openAddress()
    await address.useUpLimit()
    const { id, token } = await makeUser(server)
    expect((await address.get(token)).status).toBe(429)
    const { last_used_at } = await server.db
      .selectFrom('api_tokens')
      .select('last_used_at')
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(last_used_at).toBeNull()
    expect((await openAddress().get(token)).status).toBe(200)
  })

  it('do not affect a token that was valid lately, until it is revoked', async () => {
    const address = openAddress()
    const { token } = await makeUser(server)
    await openAddress().get(token)
    await address.useUpLimit()
    expect((await address.get(token)).status).toBe(200)
    const { body } = await server.request<{ data: { id: string }[] }>('GET', '/v1/tokens', { token })
    await server.request('DELETE', `/v1/tokens/${body.data[0]?.id}`, { token })
    expect((await address.get(token)).status).toBe(429)
  })

  it('do not affect a token that was valid lately when it is no longer in the cache', async () => {
    const address = openAddress()
    const { token } = await makeUser(server)
    await address.get(token)
    await address.useUpLimit()
    // A change of tokens empties the cache.
    await server.request('POST', '/v1/tokens', { token: (await makeUser(server)).token, body: { name: 'x' } })
    expect((await address.get(token)).status).toBe(200)
  })

  it('are the only ones that count', async () => {
    const address = openAddress()
    const { token } = (await makeProject(server)).admin
    for (let count = 0; count < 100; count += 1) await address.get(token)
    expect((await server.request('GET', '/v1/projects')).status).toBe(401)
    expect((await address.get('nonsense')).headers.get('ratelimit-remaining')).toBe('59')
  })

  it('are limited by RATE_LIMIT_INVALID_TOKENS', async () => {
    const address = openAddress(await startServerForTest({ rateLimitInvalidTokens: 2, trustProxy: 1 }))
    const statuses: number[] = []
    while (statuses.length < 3) statuses.push((await address.get('nonsense')).status)
    expect(statuses).toEqual([401, 401, 429])
  })
})

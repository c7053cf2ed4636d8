import { setTimeout as sleep } from 'node:timers/promises'

import { pino } from 'pino'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { describe, expect, it, onTestFinished } from 'vitest'

import { findFreePort } from '@caseward/embedded-postgres/find-free-port'
import { startRedis } from '@caseward/test-support/redis'
import type { TestServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'
import { connectToRedis as connectLimits } from '../../src/platform/http/rate-limit-redis.ts'
import {
  connectToRedis,
  getLoggedStates,
  getRemaining,
  listProjects,
  useRedisServers,
  waitUntilShared,
} from './redis-servers.ts'

const { startServer, startTwoServers } = useRedisServers()

async function measureRequest(server: TestServer, token: string) {
  const start = performance.now()
  const response = await listProjects(server, token)
  return { status: response.status, remaining: getRemaining(response), ms: performance.now() - start }
}

describe('rate limits when Redis fails', () => {
  it('are counted by each server while Redis is down, and shared again when it is back', async () => {
    const redis = await startRedis()
    const servers = await startTwoServers(redis.url, { rateLimitOther: 5 })
    const { token } = await makeUser(servers[0])
    expect(getRemaining(await listProjects(servers[0], token))).toBe(4)
    expect(getRemaining(await listProjects(servers[1], token))).toBe(3)
    await redis.kill()
    for (const server of servers) {
      for (const remaining of [4, 3, 2, 1, 0]) {
        expect(await measureRequest(server, token)).toMatchObject({ status: 200, remaining })
      }
      await server.expectProblem(429, 'GET', '/v1/projects', { token })
    }
    await startRedis({ port: redis.port })
    await waitUntilShared(servers)
    for (const server of servers) expect(getLoggedStates(server)).toEqual(['redis', 'local', 'redis'])
  })

  it('delay only requests in flight, by half a second, when Redis hangs', async () => {
    const redis = await startRedis()
    const servers = await startTwoServers(redis.url, {})
    const [server] = servers
    const { token } = await makeUser(server)
    await listProjects(server, token)
    redis.hang()
    const inFlight = await Promise.all(Array.from({ length: 10 }, () => measureRequest(server, token)))
    expect(inFlight.map(({ status }) => status)).toEqual(inFlight.map(() => 200))
    // Long enough for several probes.
    const start = performance.now()
    const durations: number[] = []
    while (performance.now() - start < 2500) {
      const { status, ms } = await measureRequest(server, token)
      expect(status).toBe(200)
      durations.push(ms)
      await sleep(20)
    }
    // The median, because other work of the machine may delay any single request.
    const median = durations.toSorted((a, b) => a - b).at(durations.length / 2)
    expect(median).toBeLessThan(Math.max(...inFlight.map(({ ms }) => ms)))
    expect(getLoggedStates(server)).toEqual(['redis', 'local'])
    redis.resume()
    await listProjects(servers[1], token)
    await waitUntilShared(servers)
  })

  it('use a response of Redis that arrived while the server was busy', async () => {
    const { url } = await startRedis()
    const { createLimiter, close } = await connectLimits(url, pino({ level: 'silent' }))
    onTestFinished(close)
    const limiter = createLimiter(new RateLimiterMemory({ keyPrefix: 'busy', points: 10, duration: 60 }))
    expect((await limiter.consume('x')).remainingPoints).toBe(9)
    const consumed = limiter.consume('x')
    for (const end = performance.now() + 800; performance.now() < end;);
    // The local limiter would have 9 left.
    expect((await consumed).remainingPoints).toBe(8)
  })

  it('are counted by each server while Redis is out of memory, and shared again when it is not', async () => {
    const redis = await startRedis()
    const servers = await startTwoServers(redis.url, { rateLimitOther: 100 })
    const client = connectToRedis(redis.url)
    const { token } = await makeUser(servers[0])
    await client.config('SET', 'maxmemory', '1')
    for (const server of servers) {
      for (const remaining of [99, 98, 97]) expect(getRemaining(await listProjects(server, token))).toBe(remaining)
      expect(getLoggedStates(server)).toEqual(['redis', 'local'])
    }
    await client.config('SET', 'maxmemory', '0')
    await waitUntilShared(servers)
  })

  it('are counted by each server when Redis is down at start, and shared once it is up', async () => {
    const port = await findFreePort()
    const servers = await startTwoServers(`redis://127.0.0.1:${port}`, { rateLimitOther: 5 })
    const { token } = await makeUser(servers[0])
    for (const server of servers) expect(getRemaining(await listProjects(server, token))).toBe(4)
    await startRedis({ port })
    await waitUntilShared(servers)
    for (const server of servers) expect(getLoggedStates(server)).toEqual(['local', 'redis'])
  })

  it('do not keep a server from starting when Redis hangs', async () => {
    const redis = await startRedis()
    redis.hang()
    const server = await startServer({ redisUrl: redis.url })
    expect((await listProjects(server, (await makeUser(server)).token)).status).toBe(200)
    expect(getLoggedStates(server)).toEqual(['local'])
  })
})

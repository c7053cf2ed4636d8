import { Redis } from 'ioredis'
import type pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'

import { cloneDatabase } from '@caseward/test-support/database'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import { findOrInstallRedis } from '@caseward/test-support/redis'
import type { TestResponse } from '@caseward/test-support/send-request'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'
import type { Config } from '../../src/config.ts'

export interface RedisServers {
  /** Starts a server on the shared database. The caller closes it. */
  launchServer(settings: Partial<Config>): Promise<TestServer>
  /** Starts a server on the shared database that is closed after the test. */
  startServer(settings: Partial<Config>): Promise<TestServer>
  startTwoServers(redisUrl: string, settings: Partial<Config>): Promise<[TestServer, TestServer]>
}

/** Provides the tests of a file with servers that share one database. */
export function useRedisServers(): RedisServers {
  let database: { connection: pg.PoolConfig; drop(): Promise<void> } | undefined
  beforeAll(async () => {
    await findOrInstallRedis()
    database = await cloneDatabase()
  }, INSTALL_TIMEOUT_MS)
  afterAll(() => database?.drop())

  const launchServer = (settings: Partial<Config>) => startTestServer(settings, database)
  async function startServer(settings: Partial<Config>): Promise<TestServer> {
    const server = await launchServer(settings)
    onTestFinished(() => server.close())
    return server
  }
  return {
    launchServer,
    startServer,
    startTwoServers: async (redisUrl, settings) => [
      await startServer({ redisUrl, ...settings }),
      await startServer({ redisUrl, ...settings }),
    ],
  }
}

/** Opens a Redis connection that is closed after the test. */
export function connectToRedis(url: string): Redis {
  const redis = new Redis(url)
  onTestFinished(() => redis.disconnect())
  return redis
}

export const listProjects = (server: TestServer, token: string) => server.request('GET', '/v1/projects', { token })

export const getRemaining = ({ headers }: TestResponse<unknown>) =>
  Number(headers.get('ratelimit-remaining') ?? Number.NaN)

/** Returns the states of the rate limits that a server has logged. */
export function getLoggedStates({ logged }: TestServer): ('local' | 'redis')[] {
  const lines = logged.map((line) => JSON.parse(line) as { level: number; msg?: string })
  return lines.filter(({ msg }) => msg?.includes('Redis')).map(({ level }) => (level === 40 ? 'local' : 'redis'))
}

/** Waits until two servers share one limit again. */
export async function waitUntilShared(servers: [TestServer, TestServer]): Promise<void> {
  await expect
    .poll(() => servers.map((server) => getLoggedStates(server).at(-1)), { timeout: 10_000 })
    .toEqual(['redis', 'redis'])
  const { token } = await makeUser(servers[0])
  const first = getRemaining(await listProjects(servers[0], token))
  expect(getRemaining(await listProjects(servers[1], token))).toBe(first - 1)
}

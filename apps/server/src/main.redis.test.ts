import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { getDatabaseUrl, startCaseward } from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import { findOrInstallRedis, startRedis, type TestRedis } from '@caseward/test-support/redis'
import { type Service, startService } from '@caseward/test-support/service'
import { findFreePort } from '@caseward/embedded-postgres/find-free-port'

let database: { connection: pg.PoolConfig; drop(): Promise<void> }
beforeAll(async () => {
  await findOrInstallRedis()
  database = await cloneDatabase()
}, INSTALL_TIMEOUT_MS)
afterAll(() => database.drop())

type Start = (settings: Record<string, string>) => Promise<Service>

const getSettings = (settings: Record<string, string>) => ({
  DATABASE_URL: getDatabaseUrl(database.connection),
  ...settings,
})

describe('a server with REDIS_URL', () => {
  it.each<[string, Start, (redis: TestRedis) => Promise<void> | void]>([
    ['is available', startService, () => {}],
    ['is dead', startService, (redis) => redis.kill()],
    // A connection that is left open keeps a process from ending.
    ['hangs', startCaseward, (redis) => redis.hang()],
  ])('stops on SIGTERM when Redis %s, and logs no password', async (_state, start, change) => {
    const redis = await startRedis({ password: 'hunter2' })
    const caseward = await start(getSettings({ REDIS_URL: redis.url, LOG_LEVEL: 'trace' }))
    expect(await caseward.request('GET', '/v1/projects')).toMatchObject({ status: 200 })
    await change(redis)
    expect(await caseward.request('GET', '/v1/projects')).toMatchObject({ status: 200 })
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
    expect(caseward.log().join('\n')).toContain('using Redis for rate limits')
    expect(caseward.log().join('\n') + caseward.stderr()).not.toContain('hunter2')
  })

  it('starts and stops when the connection to Redis is refused', async () => {
    const caseward = await startService(getSettings({ REDIS_URL: `redis://127.0.0.1:${await findFreePort()}` }))
    expect(await caseward.request('GET', '/v1/projects')).toMatchObject({ status: 200 })
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
    expect(caseward.log().filter((line) => line.includes('Redis'))).toHaveLength(1)
  })
})

describe('a server without REDIS_URL', () => {
  /** Prints at exit how many files of the Redis client were loaded. */
  const countFiles = `import { createRequire } from 'node:module'
    const { cache } = createRequire('/')
    process.once('exit', () => {
      const files = Object.keys(cache).filter((file) => file.includes('/ioredis/'))
      process.stderr.write('client files: ' + files.length + ';')
    })`

  it('does not load the Redis client', async () => {
    const { url } = await startRedis()
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(countFiles)}`
    const [without, withRedis] = await Promise.all([
      startCaseward(getSettings({ NODE_OPTIONS })),
      startCaseward(getSettings({ NODE_OPTIONS, REDIS_URL: url })),
    ])
    for (const caseward of [without, withRedis]) caseward.signal('SIGTERM')
    await Promise.all([without.ended, withRedis.ended])
    expect(without.stderr()).toContain('client files: 0;')
    expect(withRedis.stderr()).toMatch(/client files: [1-9]\d*;/)
  })
})

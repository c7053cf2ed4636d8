import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { getDatabaseUrl, startCaseward } from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import { findOrInstallRedis, startRedis, type TestRedis } from '@caseward/test-support/redis'
import { findFreePort } from '@caseward/embedded-postgres/find-free-port'

let database: { connection: pg.PoolConfig; drop(): Promise<void> }
beforeAll(async () => {
  await findOrInstallRedis()
  database = await cloneDatabase()
}, INSTALL_TIMEOUT_MS)
afterAll(() => database.drop())

const start = (settings: Record<string, string>) =>
  startCaseward({ DATABASE_URL: getDatabaseUrl(database.connection), ...settings })

describe('a server with REDIS_URL', () => {
  it.each<[string, (redis: TestRedis) => Promise<void> | void]>([
    ['is available', () => {}],
    ['is dead', (redis) => redis.kill()],
    ['hangs', (redis) => redis.hang()],
  ])('stops on SIGTERM at once when Redis %s, and logs no password', async (_state, change) => {
    const redis = await startRedis({ password: 'hunter2' })
    const caseward = await start({ REDIS_URL: redis.url, LOG_LEVEL: 'trace' })
    expect(await caseward.request('GET', '/v1/projects')).toMatchObject({ status: 200 })
    await change(redis)
    expect(await caseward.request('GET', '/v1/projects')).toMatchObject({ status: 200 })
    const signaled = performance.now()
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
    expect(performance.now() - signaled).toBeLessThan(5000)
    expect(caseward.log().join('\n')).toContain('using Redis for rate limits')
    expect(caseward.log().join('\n') + caseward.stderr()).not.toContain('hunter2')
  })

  it('starts and stops when the connection to Redis is refused', async () => {
    const caseward = await start({ REDIS_URL: `redis://127.0.0.1:${await findFreePort()}` })
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
    const [without, withRedis] = await Promise.all([start({ NODE_OPTIONS }), start({ NODE_OPTIONS, REDIS_URL: url })])
    for (const caseward of [without, withRedis]) caseward.signal('SIGTERM')
    await Promise.all([without.ended, withRedis.ended])
    expect(without.stderr()).toContain('client files: 0;')
    expect(withRedis.stderr()).toMatch(/client files: [1-9]\d*;/)
  })
})

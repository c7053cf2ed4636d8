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

describe('a server that is given REDIS_URL', () => {
  it.each<[string, (redis: TestRedis) => Promise<void> | void]>([
    ['answers', () => {}],
    ['is dead', (redis) => redis.kill()],
    ['hangs', (redis) => redis.hang()],
  ])('ends at SIGTERM at once when Redis %s, and has told no password', async (_what, befall) => {
    const redis = await startRedis({ password: 'hunter2' })
    const caseward = await start({ REDIS_URL: redis.url, LOG_LEVEL: 'trace' })
    expect(await caseward.request('GET', '/v1/projects')).toMatchObject({ status: 200 })
    await befall(redis)
    expect(await caseward.request('GET', '/v1/projects')).toMatchObject({ status: 200 })
    const signalled = performance.now()
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
    expect(performance.now() - signalled).toBeLessThan(5000)
    expect(caseward.log().join('\n')).toContain('requests are counted in Redis')
    expect(caseward.log().join('\n') + caseward.stderr()).not.toContain('hunter2')
  })

  it('starts and ends when nobody listens there', async () => {
    const caseward = await start({ REDIS_URL: `redis://127.0.0.1:${await findFreePort()}` })
    expect(await caseward.request('GET', '/v1/projects')).toMatchObject({ status: 200 })
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
    expect(caseward.log().filter((line) => line.includes('Redis'))).toHaveLength(1)
  })
})

describe('a server that is not', () => {
  /** Tells at the end how many files of the Redis client were loaded. */
  const countFiles = `import { createRequire } from 'node:module'
    const { cache } = createRequire('/')
    process.once('exit', () => {
      const files = Object.keys(cache).filter((file) => file.includes('/ioredis/'))
      process.stderr.write('client files: ' + files.length + ';')
    })`

  it('does not load what speaks to Redis', async () => {
    const { url } = await startRedis()
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(countFiles)}`
    const [without, withRedis] = await Promise.all([start({ NODE_OPTIONS }), start({ NODE_OPTIONS, REDIS_URL: url })])
    for (const caseward of [without, withRedis]) caseward.signal('SIGTERM')
    await Promise.all([without.ended, withRedis.ended])
    expect(without.stderr()).toContain('client files: 0;')
    expect(withRedis.stderr()).toMatch(/client files: [1-9]\d*;/)
  })
})

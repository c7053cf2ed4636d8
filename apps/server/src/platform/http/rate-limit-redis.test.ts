import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

import { Redis } from 'ioredis'
import type pg from 'pg'
import { pino } from 'pino'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { openBrowser } from '@caseward/test-support/browser'
import { cloneDatabase } from '@caseward/test-support/database'
import { makeCiToken, makeProject } from '@caseward/test-support/factories'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import { findOrInstallRedis, launchRedis, startRedis, type TestRedis } from '@caseward/test-support/redis'
import type { TestResponse } from '@caseward/test-support/send-request'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'
import { findFreePort } from '@caseward/embedded-postgres/find-free-port'
import type { Config } from '../../config.ts'
import { connectToRedis } from './rate-limit-redis.ts'

let database: { connection: pg.PoolConfig; drop(): Promise<void> }
beforeAll(async () => {
  await findOrInstallRedis()
  database = await cloneDatabase()
}, INSTALL_TIMEOUT_MS)
afterAll(() => database.drop())

async function startServer(settings: Partial<Config>): Promise<TestServer> {
  const server = await startTestServer(settings, database)
  onTestFinished(() => server.close())
  return server
}

async function startTwo(redisUrl: string, settings: Partial<Config>): Promise<[TestServer, TestServer]> {
  return [await startServer({ redisUrl, ...settings }), await startServer({ redisUrl, ...settings })]
}

/** A connection beside those of the servers. */
function speakTo(url: string): Redis {
  const redis = new Redis(url)
  onTestFinished(() => redis.disconnect())
  return redis
}

const list = (server: TestServer, token: string) => server.request('GET', '/v1/projects', { token })
const getRemaining = ({ headers }: TestResponse<unknown>) => Number(headers.get('ratelimit-remaining') ?? Number.NaN)

/** What a server said of Redis, which it does whenever that changes. */
function saidOfRedis({ logged }: TestServer): string[] {
  const lines = logged.map((line) => JSON.parse(line) as { level: number; msg?: string })
  return lines.filter(({ msg }) => msg?.includes('Redis')).map(({ level }) => (level === 40 ? 'lost' : 'counts'))
}

/** A request that is answered, and how long it took. */
async function timed(
  request: () => Promise<TestResponse<unknown>>,
): Promise<{ status: number; left: number; ms: number }> {
  const start = performance.now()
  const answer = await request()
  return { status: answer.status, left: getRemaining(answer), ms: performance.now() - start }
}

/** Waits until two servers empty one bucket again. */
async function shareAgain(servers: [TestServer, TestServer]): Promise<void> {
  await expect
    .poll(() => servers.map((server) => saidOfRedis(server).at(-1)), { timeout: 10_000 })
    .toEqual(['counts', 'counts'])
  const { token } = await makeUser(servers[0])
  const left = [getRemaining(await list(servers[0], token)), getRemaining(await list(servers[1], token))]
  expect(left[1]).toBe(Number(left[0]) - 1)
}

describe('two servers on one Redis', () => {
  const settings = { rateLimit: 60, rateLimitOther: 60, rateLimitSignIn: 4, trustProxy: 1 }
  let redis: TestRedis
  let servers: TestServer[]
  let one: TestServer
  let other: TestServer
  beforeAll(async () => {
    redis = await launchRedis()
    one = await startTestServer({ redisUrl: redis.url, ...settings }, database)
    other = await startTestServer({ redisUrl: redis.url, ...settings }, database)
    servers = [one, other]
  })
  afterAll(async () => {
    for (const server of servers) await server.close()
    await redis.kill()
  })

  it.each(['milestones', 'members', 'runs', 'uploads'])(
    'let 60 requests for %s through between them, and refuse the next at either',
    async (group) => {
      const project = await makeProject(one)
      const token = group === 'uploads' ? await makeCiToken(one, project) : project.admin.token
      const request = (server: TestServer) =>
        group === 'uploads'
          ? server.request('POST', '/v1/results', { token, body: {} })
          : server.request('GET', `/v1/projects/${project.id}/${group}`, { token })
      // Making the project has counted, too, as what has no group of its own.
      for (let left = group === 'runs' ? 58 : 59; left >= 0; left -= 1) {
        const answer = await request(left % 2 === 0 ? one : other)
        expect([answer.status, getRemaining(answer)]).toEqual([group === 'uploads' ? 400 : 200, left])
      }
      for (const server of servers) {
        const { status, headers } = await request(server)
        const said = ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`))
        const retryAfter = headers.get('retry-after')
        expect([status, ...said]).toEqual([429, '60', '0', retryAfter])
        expect(Number(retryAfter)).toBeGreaterThan(30)
        expect(Number(retryAfter)).toBeLessThanOrEqual(60)
      }
    },
  )

  it('let no more through when requests come to both at once', async () => {
    const { token } = await makeUser(one)
    const requests = Array.from({ length: 100 }, (_, index) => list(index % 2 === 0 ? one : other, token))
    const statuses = (await Promise.all(requests)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(60)
    expect(statuses.filter((status) => status === 429)).toHaveLength(40)
  })

  const trySignIn = async (server: TestServer, address: string, email: string) => {
    const browser = openBrowser(server, { 'x-forwarded-for': address })
    return (await browser.api('POST', '/v1/session', { email, password: 'not the right one' })).status
  }

  it('count the tries to sign in from one address together', async () => {
    const answers: number[] = []
    for (const server of [one, other, one, other, one, other]) {
      answers.push(await trySignIn(server, '192.0.2.1', `somebody${answers.length}@example.test`))
    }
    expect(answers).toEqual([401, 401, 401, 401, 429, 429])
  })

  it('count the tries to sign in to one account together, from wherever they come', async () => {
    const answers: number[] = []
    for (const server of [one, other, one, other, one, other]) {
      answers.push(await trySignIn(server, `198.51.100.${answers.length}`, 'ada@example.test'))
    }
    expect(answers).toEqual([401, 401, 401, 401, 429, 429])
  })

  it('keep nothing there for longer than a minute, no address of a person, and all under one name', async () => {
    await list(one, (await makeUser(one)).token)
    await trySignIn(one, '203.0.113.1', 'grace@example.test')
    const client = speakTo(redis.url)
    const keys = await client.keys('*')
    expect(keys.length).toBeGreaterThanOrEqual(3)
    for (const key of keys) {
      expect(key).toMatch(/^caseward:/)
      expect(key).not.toContain('grace')
      // -1 would be one that never ends; -2 is one that has.
      const seconds = await client.ttl(key)
      expect(seconds).not.toBe(-1)
      expect(seconds).toBeLessThanOrEqual(60)
    }
  })
})

describe('when Redis', () => {
  it('dies, requests go on, counted by each server alone, until it is back', async () => {
    const redis = await startRedis()
    const servers = await startTwo(redis.url, { rateLimitOther: 5 })
    const { token } = await makeUser(servers[0])
    expect(getRemaining(await list(servers[0], token))).toBe(4)
    expect(getRemaining(await list(servers[1], token))).toBe(3)
    await redis.kill()
    for (const server of servers) {
      for (const left of [4, 3, 2, 1, 0]) {
        const answer = await timed(() => list(server, token))
        expect(answer).toMatchObject({ status: 200, left })
        expect(answer.ms).toBeLessThan(3000)
      }
      await server.expectProblem(429, 'GET', '/v1/projects', { token })
    }
    await startRedis({ port: redis.port })
    await shareAgain(servers)
    for (const server of servers) expect(saidOfRedis(server)).toEqual(['counts', 'lost', 'counts'])
  })

  it('hangs, only requests that were under way wait for it, for half a second', async () => {
    const redis = await startRedis()
    const servers = await startTwo(redis.url, {})
    const [server] = servers
    const { token } = await makeUser(server)
    await list(server, token)
    redis.hang()
    const underWay = await Promise.all(Array.from({ length: 10 }, () => timed(() => list(server, token))))
    for (const { status, ms } of underWay) {
      expect(status).toBe(200)
      expect(ms).toBeLessThan(3000)
    }
    // For so long that it is tried anew, several times.
    const start = performance.now()
    const waits: number[] = []
    while (performance.now() - start < 2500) {
      const { status, ms } = await timed(() => list(server, token))
      expect(status).toBe(200)
      waits.push(ms)
    }
    // Half of them, since any may be held up by what else the machine does.
    expect(waits.toSorted((a, b) => a - b).at(waits.length / 2)).toBeLessThan(450)
    expect(saidOfRedis(server)).toEqual(['counts', 'lost'])
    redis.resume()
    await list(servers[1], token)
    await shareAgain(servers)
  })

  it('has answered while the server was busy, its answer counts', async () => {
    const { url } = await startRedis()
    const { share, close } = await connectToRedis(url, pino({ level: 'silent' }))
    onTestFinished(close)
    const bucket = share(new RateLimiterMemory({ keyPrefix: 'busy', points: 10, duration: 60 }))
    expect((await bucket.consume('x')).remainingPoints).toBe(9)
    const counted = bucket.consume('x')
    for (const end = performance.now() + 800; performance.now() < end;);
    // The server's own bucket would hold 9.
    expect((await counted).remainingPoints).toBe(8)
  })

  it('refuses to count, requests go on, and it is used again when it does', async () => {
    const redis = await startRedis()
    const servers = await startTwo(redis.url, { rateLimitOther: 100 })
    const client = speakTo(redis.url)
    const { token } = await makeUser(servers[0])
    await client.config('SET', 'maxmemory', '1')
    for (const server of servers) {
      for (const left of [99, 98, 97]) expect(getRemaining(await list(server, token))).toBe(left)
      expect(saidOfRedis(server)).toEqual(['counts', 'lost'])
    }
    await client.config('SET', 'maxmemory', '0')
    await shareAgain(servers)
  })

  it('is not there yet, a server starts all the same and uses it when it comes', async () => {
    const port = await findFreePort()
    const servers = await startTwo(`redis://127.0.0.1:${port}`, { rateLimitOther: 5 })
    const { token } = await makeUser(servers[0])
    for (const server of servers) expect(getRemaining(await list(server, token))).toBe(4)
    await startRedis({ port })
    await shareAgain(servers)
    for (const server of servers) expect(saidOfRedis(server)).toEqual(['lost', 'counts'])
  })

  it('hangs at the start, a server starts all the same', async () => {
    const redis = await startRedis()
    redis.hang()
    const server = await startServer({ redisUrl: redis.url })
    expect((await list(server, (await makeUser(server)).token)).status).toBe(200)
    expect(saidOfRedis(server)).toEqual(['lost'])
  })

  it.each([
    ['another password', ':hunter2@', 'WRONGPASS'],
    ['a password', '', 'NOAUTH'],
    ['another user', 'nobody:hunter2@', 'WRONGPASS'],
  ])('wants %s, requests go on, and the log says so once and without the password', async (_what, login, reason) => {
    const redis = await startRedis({ password: 'hunter3' })
    const server = await startServer({ redisUrl: `redis://${login}127.0.0.1:${redis.port}`, rateLimitOther: 5 })
    const { token } = await makeUser(server)
    expect(getRemaining(await list(server, token))).toBe(4)
    // For so long that it is tried anew.
    const client = speakTo(redis.url)
    const connections = async () => Number(/total_connections_received:(\d+)/.exec(await client.info('stats'))?.[1])
    await expect.poll(connections, { timeout: 10_000 }).toBeGreaterThan(3)
    expect(getRemaining(await list(server, token))).toBe(3)
    expect(saidOfRedis(server)).toEqual(['lost'])
    expect(server.logged.join('')).toContain(`"reason":"${reason}"`)
    expect(server.logged.join('')).not.toContain('hunter')
  })

  it('has no database of that number, it is not used', async () => {
    const redis = await startRedis()
    const server = await startServer({ redisUrl: `${redis.url}/99` })
    const client = speakTo(redis.url)
    await expect.poll(() => client.info('errorstats'), { timeout: 10_000 }).toMatch(/errorstat_ERR:count=([5-9]|\d\d)/)
    expect((await list(server, (await makeUser(server)).token)).status).toBe(200)
    expect(saidOfRedis(server)).toEqual(['lost'])
    expect(await client.keys('*')).toEqual([])
  })

  it('has the database of that number, it is used', async () => {
    const redis = await startRedis()
    const server = await startServer({ redisUrl: `${redis.url}/3` })
    await list(server, (await makeUser(server)).token)
    expect(saidOfRedis(server)).toEqual(['counts'])
    expect(await speakTo(redis.url).keys('*')).toEqual([])
    expect(await speakTo(`${redis.url}/3`).keys('caseward:other:*')).toHaveLength(1)
  })

  it('repeats what it does not understand, the log does not', async () => {
    const old = createServer((socket) => {
      socket
        .on('error', () => {})
        .on('data', (sent) => socket.write(`-ERR I do not know ${JSON.stringify(String(sent))}\r\n`))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void old.close())
    await once(old, 'listening')
    const { port } = old.address() as AddressInfo
    const server = await startServer({ redisUrl: `redis://:hunter2@127.0.0.1:${port}` })
    expect((await list(server, (await makeUser(server)).token)).status).toBe(200)
    expect(server.logged.join('')).toContain('"reason":"ERR"')
    expect(server.logged.join('')).not.toContain('hunter2')
  })

  it('has a password with signs in it, it is understood', async () => {
    const redis = await startRedis({ password: 'p@ss/w#rd?%' })
    expect(saidOfRedis(await startServer({ redisUrl: redis.url }))).toEqual(['counts'])
  })
})

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

import { describe, expect, it, onTestFinished } from 'vitest'

import { startRedis } from '@caseward/test-support/redis'
import { makeUser } from '@caseward/test-support/users'
import { connectToRedis, getLoggedStates, getRemaining, listProjects, useRedisServers } from './redis-servers.ts'

const { startServer } = useRedisServers()

describe('REDIS_URL', () => {
  it.each([
    ['another password', ':hunter2@', 'WRONGPASS'],
    ['no password', '', 'NOAUTH'],
    ['an unknown user', 'nobody:hunter2@', 'WRONGPASS'],
  ])('with %s is logged once without the password, and rate limits stay local', async (_login, login, reason) => {
    const redis = await startRedis({ password: 'hunter3' })
    const server = await startServer({ redisUrl: `redis://${login}127.0.0.1:${redis.port}`, rateLimitOther: 5 })
    const { token } = await makeUser(server)
    expect(getRemaining(await listProjects(server, token))).toBe(4)
    // Long enough for several probes.
    const client = connectToRedis(redis.url)
    const countConnections = async () =>
      Number(/total_connections_received:(\d+)/.exec(await client.info('stats'))?.[1])
    await expect.poll(countConnections).toBeGreaterThan(3)
    expect(getRemaining(await listProjects(server, token))).toBe(3)
    expect(getLoggedStates(server)).toEqual(['local'])
    expect(server.logged.join('')).toContain(`"reason":"${reason}"`)
    expect(server.logged.join('')).not.toContain('hunter')
  })

  it('with a database number that Redis does not have leaves rate limits local and stores nothing', async () => {
    const redis = await startRedis()
    const server = await startServer({ redisUrl: `${redis.url}/99` })
    const client = connectToRedis(redis.url)
    await expect.poll(() => client.info('errorstats')).toMatch(/errorstat_ERR:count=([5-9]|\d\d)/)
    expect((await listProjects(server, (await makeUser(server)).token)).status).toBe(200)
    expect(getLoggedStates(server)).toEqual(['local'])
    expect(await client.keys('*')).toEqual([])
  })

  it('with a database number uses that database only', async () => {
    const redis = await startRedis()
    const server = await startServer({ redisUrl: `${redis.url}/3` })
    await listProjects(server, (await makeUser(server)).token)
    expect(getLoggedStates(server)).toEqual(['redis'])
    expect(await connectToRedis(redis.url).keys('*')).toEqual([])
    expect(await connectToRedis(`${redis.url}/3`).keys('caseward:other:*')).toHaveLength(1)
  })

  it('of a server that repeats commands in its errors does not leak the password into the log', async () => {
    const oldServer = createServer((socket) => {
      socket
        .on('error', () => {})
        .on('data', (command) => socket.write(`-ERR I do not know ${JSON.stringify(String(command))}\r\n`))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void oldServer.close())
    await once(oldServer, 'listening')
    const { port } = oldServer.address() as AddressInfo
    const server = await startServer({ redisUrl: `redis://:hunter2@127.0.0.1:${port}` })
    expect((await listProjects(server, (await makeUser(server)).token)).status).toBe(200)
    expect(server.logged.join('')).toContain('"reason":"ERR"')
    expect(server.logged.join('')).not.toContain('hunter2')
  })

  it('may contain a percent-encoded password', async () => {
    const redis = await startRedis({ password: 'p@ss/w#rd?%' })
    expect(getLoggedStates(await startServer({ redisUrl: redis.url }))).toEqual(['redis'])
  })
})

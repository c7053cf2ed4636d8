import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'

import { sql } from 'kysely'
import type pg from 'pg'
import { beforeAll, afterAll, describe, expect, it, onTestFinished } from 'vitest'

import { getDatabaseUrl, startCaseward } from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { startService } from '@caseward/test-support/service'
import { createTemporaryDirectory, findProcessesIn } from '@caseward/test-support/temporary-directory'
import { connect as connectTo } from './platform/database/connect.ts'
import { occupyPort, startAndFail } from '../test/start-and-fail.ts'
import { startRequest } from '../test/unfinished-request.ts'

let database: { connection: pg.PoolConfig; drop(): Promise<void> }
let databaseUrl: string
beforeAll(async () => {
  database = await cloneDatabase()
  databaseUrl = getDatabaseUrl(database.connection)
})
afterAll(() => database.drop())

describe('the first start with an empty data directory', () => {
  it('prints the URL and creates the first user with the token; the second start creates nothing', async () => {
    const directory = await createTemporaryDirectory()
    const settings = { DATA_DIR: join(directory, 'data') }
    const first = await startCaseward(settings)
    expect(first.stderr()).toMatch(
      /^Caseward is ready at http:\/\/localhost:\d+ \(listening on http:\/\/127\.0\.0\.1:\d+,/,
    )
    expect(first.stderr()).toContain(`Data: ${join(directory, 'data', 'postgres')}`)
    expect(first.stderr()).toContain('Created the first user, admin@example.test, with ADMIN_TOKEN as token.')
    const created = await first.request('POST', '/v1/projects', { name: 'Web shop', prefix: 'WEB' })
    expect(created.status).toBe(201)
    first.signal('SIGTERM')
    expect(await first.ended).toBe(0)
    expect(await findProcessesIn(directory)).toEqual([])

    const second = await startService(settings)
    expect(second.stderr()).not.toContain('Created the first user')
    expect(await second.request('GET', '/v1/projects')).toMatchObject({ body: { meta: { total: 1 } } })
    second.signal('SIGINT')
    expect(await second.ended).toBe(0)
    expect(await findProcessesIn(directory)).toEqual([])
  })
})

describe('a failed start', () => {
  it.each([
    [{ PORT: 'http' }, /^Caseward cannot start: PORT .*"http"/],
    [{ DATABASE_URL: 'mysql://u:secret@h/d' }, /^Caseward cannot start: DATABASE_URL must be a postgres/],
  ])('with %j prints one line that names the variable without the secret', async (settings, pattern) => {
    const [code, line] = await startAndFail(settings)
    expect(code).toBe(1)
    expect(line).toMatch(pattern)
    expect(line).not.toContain('secret')
  })

  it('prints one line when the connection to DATABASE_URL is refused', async () => {
    const { port, free } = await occupyPort()
    free()
    const [code, line] = await startAndFail({ DATABASE_URL: `postgres://user:secret@localhost:${port}/caseward` })
    expect([code, line]).toEqual([1, expect.stringMatching(/database at DATABASE_URL cannot be used: .*ECONNREFUSED/)])
    expect(line).not.toContain('secret')
  })
})

describe('a server with DATABASE_URL', () => {
  it('serves requests, does not print the URL, and ignores a crontab file in the working directory', async () => {
    const directory = await createTemporaryDirectory()
    await writeFile(join(directory, 'crontab'), '* * * * * send_mail ?fill=1h\n')
    const caseward = await startCaseward({ DATABASE_URL: databaseUrl }, { directory })
    expect(caseward.stderr()).toContain('Data: in the database at DATABASE_URL')
    expect(caseward.stderr()).not.toContain('postgres://')
    expect((await caseward.request('GET', '/readyz')).status).toBe(200)
    expect((await caseward.request('GET', '/v1/projects')).status).toBe(200)
    const { db, close } = connectTo(database.connection, { poolSize: 1, onError: () => {} })
    onTestFinished(close)
    const known = sql`select from graphile_worker._private_known_crontabs where identifier = 'send_mail'`
    expect((await known.execute(db)).rows).toEqual([])
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
  })
})

describe('shutdown on SIGTERM', () => {
  const refusesConnections = async (url: string) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    return await new Promise<boolean>((resolve) => {
      socket.once('error', () => resolve(true)).once('connect', () => resolve(false))
    }).finally(() => socket.destroy())
  }

  it('refuses connections, finishes the request in flight and exits, also when sent twice', async () => {
    const caseward = await startCaseward({ DATABASE_URL: databaseUrl })
    // The connection that this client keeps open must not delay the shutdown.
    await caseward.request('GET', '/healthz')
    const request = await startRequest(caseward.url)
    await expect.poll(() => refusesConnections(caseward.url)).toBe(false)
    caseward.signal('SIGTERM')
    await expect.poll(() => refusesConnections(caseward.url)).toBe(true)
    caseward.signal('SIGTERM')
    request.finish()
    const start = performance.now()
    expect(await request.getResponse()).toMatch(/^HTTP\/1\.1 201 /)
    expect(await caseward.ended).toBe(0)
    // It would wait ten seconds for the connection.
    expect(performance.now() - start).toBeLessThan(9_000)
  })
})

import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'

import { sql } from 'kysely'
import type pg from 'pg'
import { beforeAll, afterAll, describe, expect, it, onTestFinished } from 'vitest'

import { ADMIN_TOKEN, getDatabaseUrl, startCaseward } from '@caseward/test-support/caseward-process'
import { cloneDatabase, createEmptyDatabase, createLatin1Database } from '@caseward/test-support/database'
import { query } from '@caseward/test-support/query'
import { type Service, startService } from '@caseward/test-support/service'
import { createTemporaryDirectory, findProcessesIn } from '@caseward/test-support/temporary-directory'
import { connect as connectTo } from './platform/database/connect.ts'
import type { Connection } from '@caseward/embedded-postgres'

let database: { connection: pg.PoolConfig; drop(): Promise<void> }
let databaseUrl: string
beforeAll(async () => {
  database = await cloneDatabase()
  databaseUrl = getDatabaseUrl(database.connection)
})
afterAll(() => database.drop())

/** Starts the service with settings that fail; returns the exit code and the one line of output. */
async function startAndFail(
  settings: Record<string, string>,
  start: (settings: Record<string, string>) => Promise<Pick<Service, 'ended' | 'stderr'>> = startService,
): Promise<[number | null, string]> {
  const caseward = await start(settings)
  const code = await caseward.ended
  expect(caseward.stderr().trimEnd().split('\n')).toHaveLength(1)
  return [code, caseward.stderr().trimEnd()]
}

async function occupyPort(): Promise<{ port: string; free(): void }> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return { port: String((listener.address() as AddressInfo).port), free: () => void listener.close() }
}

describe('the start with --demo', () => {
  it('creates a demo project for the first user, and none where a project exists', async () => {
    const { connection, drop } = await createEmptyDatabase()
    onTestFinished(drop)
    // The demo has files.
    const FILES_DIR = join(await createTemporaryDirectory(), 'files')
    const settings = { DATABASE_URL: getDatabaseUrl(connection), FILES_DIR }
    const first = await startCaseward(settings, { serverArgs: ['--demo'] })
    expect(first.stderr()).toMatch(/Created a demo project\. Sign in at http:\S+ as admin@example\.test\n/)
    expect(await first.request('GET', '/v1/projects')).toMatchObject({
      body: { data: [{ name: 'Web shop (demo)', test_case_count: 300 }] },
    })
    first.signal('SIGHUP')
    expect(await first.ended).toBe(0)
    expect(first.log().at(-1)).toContain('"signal":"SIGHUP"')
    const second = await startService(settings, { hasDemo: true })
    expect(second.stderr()).toContain('There is a project already, so no demo project was created.')
    expect(await second.request('GET', '/v1/projects')).toMatchObject({ body: { meta: { total: 1 } } })
  })
})

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

  it('prints one line without the password when ADMIN_PASSWORD is easy to guess', async () => {
    const { connection, drop } = await createEmptyDatabase()
    onTestFinished(drop)
    const settings = { DATABASE_URL: getDatabaseUrl(connection), ADMIN_PASSWORD: 'Password123' }
    const [code, line] = await startAndFail(settings)
    expect([code, line]).toEqual([1, expect.stringContaining('cannot start: ADMIN_PASSWORD is too easy to guess')])
    expect(line).not.toContain(settings.ADMIN_PASSWORD)
  })

  it('prints one line when the port is in use', async () => {
    const { port, free } = await occupyPort()
    const [code, line] = await startAndFail({ DATABASE_URL: databaseUrl, PORT: port }, startCaseward)
    free()
    expect([code, line]).toEqual([1, expect.stringContaining(`port ${port} on 127.0.0.1 is already in use`)])
  })

  it('prints one line when HOST is not an address of this machine', async () => {
    const [code, line] = await startAndFail({ DATABASE_URL: databaseUrl, HOST: '203.0.113.1' })
    expect([code, line]).toEqual([1, expect.stringContaining('HOST 203.0.113.1 is not an address of this machine')])
  })

  it('prints one line when the connection to DATABASE_URL is refused', async () => {
    const { port, free } = await occupyPort()
    free()
    const [code, line] = await startAndFail({ DATABASE_URL: `postgres://user:secret@localhost:${port}/caseward` })
    expect([code, line]).toEqual([1, expect.stringMatching(/database at DATABASE_URL cannot be used: .*ECONNREFUSED/)])
    expect(line).not.toContain('secret')
  })

  it.each([
    [
      'names a database that does not exist',
      (url: string) => url.replace(/\/caseward_test_\w+/, '/nonsense'),
      /"nonsense"/,
    ],
    ['is malformed', (url: string) => url.replace('?host=', 'a%zz?host='), /DATABASE_URL/],
  ])('prints one line when DATABASE_URL %s', async (_what, change, pattern) => {
    const [code, line] = await startAndFail({ DATABASE_URL: change(databaseUrl) })
    expect([code, line]).toEqual([1, expect.stringMatching(pattern)])
    expect(line).not.toContain(String(database.connection.password))
  })
})

describe('a start with an unsupported database', () => {
  it('prints one line and creates nothing when the encoding is not UTF-8', async () => {
    const { connection, drop } = await createLatin1Database()
    onTestFinished(drop)
    const [code, line] = await startAndFail({ DATABASE_URL: getDatabaseUrl(connection) })
    expect([code, line]).toEqual([1, expect.stringMatching(/DATABASE_URL cannot be used: .* encoding is LATIN1/)])
    expect(await query(connection as Connection, `select from pg_tables where schemaname = 'public'`)).toEqual([])
  })

  it('prints one line when sslmode=require is set and the server does not support SSL', async () => {
    const [code, line] = await startAndFail({ DATABASE_URL: `${databaseUrl}&sslmode=require` })
    expect([code, line]).toEqual([1, expect.stringMatching(/DATABASE_URL cannot be used: .*SSL/)])
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
  /** Sends a request without the end of its body, on a connection that stays open. */
  async function startRequest(url: string) {
    const body = JSON.stringify({ name: 'In flight', prefix: 'FLY' })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let response = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      response += text
    })
    const closed = once(socket, 'close')
    socket.write(
      `POST /v1/projects HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${ADMIN_TOKEN}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, -5)}`,
    )
    return {
      finish: () => void socket.write(body.slice(-5)),
      getResponse: async () => {
        await closed
        return response
      },
    }
  }
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

  it('waits at most ten seconds for a request that does not end', async () => {
    const caseward = await startService({ DATABASE_URL: databaseUrl })
    const request = await startRequest(caseward.url)
    await caseward.request('GET', '/healthz')
    const start = performance.now()
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
    expect(performance.now() - start).toBeGreaterThan(9_000)
    expect(await request.getResponse()).toBe('')
  })
})

import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'

import { sql } from 'kysely'
import type pg from 'pg'
import { beforeAll, afterAll, describe, expect, it, onTestFinished } from 'vitest'

import { ADMIN_TOKEN, getDatabaseUrl, startCaseward } from '@caseward/test-support/caseward-process'
import { cloneDatabase, createLatin1Database } from '@caseward/test-support/database'
import { query } from '@caseward/test-support/query'
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

/** The one line that a failed start leaves, with its exit code. */
async function failedStart(settings: Record<string, string>): Promise<[number | null, string]> {
  const caseward = await startCaseward(settings)
  const code = await caseward.ended
  expect(caseward.stderr().trimEnd().split('\n')).toHaveLength(1)
  return [code, caseward.stderr().trimEnd()]
}

async function takenPort(): Promise<{ port: string; free(): void }> {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  return { port: String((taken.address() as AddressInfo).port), free: () => void taken.close() }
}

describe('the first start on an empty folder', () => {
  it('says where to open it, makes the first user, and takes their token; the second only starts', async () => {
    const folder = await createTemporaryDirectory()
    const settings = { DATA_DIR: join(folder, 'data') }
    const first = await startCaseward(settings)
    expect(first.stderr()).toMatch(
      /^Caseward is ready at http:\/\/localhost:\d+ \(listening on http:\/\/127\.0\.0\.1:\d+,/,
    )
    expect(first.stderr()).toContain(`Data: ${join(folder, 'data', 'postgres')}`)
    expect(first.stderr()).toContain('Created the first user, admin@example.test, whose token is ADMIN_TOKEN.')
    const made = await first.request('POST', '/v1/projects', { name: 'Web shop', prefix: 'WEB' })
    expect(made.status).toBe(201)
    first.signal('SIGTERM')
    expect(await first.ended).toBe(0)
    expect(await findProcessesIn(folder)).toEqual([])

    const second = await startCaseward(settings)
    expect(second.stderr()).not.toContain('Created the first user')
    expect(await second.request('GET', '/v1/projects')).toMatchObject({ body: { meta: { total: 1 } } })
    second.signal('SIGINT')
    expect(await second.ended).toBe(0)
    expect(await findProcessesIn(folder)).toEqual([])
  })
})

describe('a start that cannot be', () => {
  it.each([
    [{ PORT: 'http' }, /^Caseward cannot start: PORT .*"http"/],
    [{ DATABASE_URL: 'mysql://u:secret@h/d' }, /^Caseward cannot start: DATABASE_URL must be a postgres/],
  ])('for %j is told in one line that names the setting, without its secret', async (settings, line) => {
    const [code, told] = await failedStart(settings)
    expect(code).toBe(1)
    expect(told).toMatch(line)
    expect(told).not.toContain('secret')
  })

  it('since the port is in use is told in one line', async () => {
    const { port, free } = await takenPort()
    const [code, told] = await failedStart({ DATABASE_URL: databaseUrl, PORT: port })
    free()
    expect([code, told]).toEqual([1, expect.stringContaining(`port ${port} of 127.0.0.1 is in use`)])
  })

  it('since the address is no one’s here is told in one line', async () => {
    const [code, told] = await failedStart({ DATABASE_URL: databaseUrl, HOST: '203.0.113.1' })
    expect([code, told]).toEqual([1, expect.stringContaining('HOST 203.0.113.1 is no address of this machine')])
  })

  it('since nobody answers at DATABASE_URL is told in one line', async () => {
    const { port, free } = await takenPort()
    free()
    const [code, told] = await failedStart({ DATABASE_URL: `postgres://user:secret@localhost:${port}/caseward` })
    expect([code, told]).toEqual([
      1,
      expect.stringMatching(/PostgreSQL of DATABASE_URL cannot be used: .*ECONNREFUSED/),
    ])
    expect(told).not.toContain('secret')
  })

  it.each([
    ['there is no such database', (url: string) => url.replace(/\/caseward_test_\w+/, '/nonsense'), /"nonsense"/],
    ['it cannot be read', (url: string) => url.replace('?host=', 'a%zz?host='), /DATABASE_URL/],
  ])('since of DATABASE_URL %s is told in one line', async (_what, spoil, line) => {
    const [code, told] = await failedStart({ DATABASE_URL: spoil(databaseUrl) })
    expect([code, told]).toEqual([1, expect.stringMatching(line)])
    expect(told).not.toContain(String(database.connection.password))
  })
})

describe('a database that cannot be used', () => {
  it('since it is not encoded in UTF-8 is told in one line, and nothing is made in it', async () => {
    const { connection, drop } = await createLatin1Database()
    onTestFinished(drop)
    const [code, told] = await failedStart({ DATABASE_URL: getDatabaseUrl(connection) })
    expect([code, told]).toEqual([1, expect.stringMatching(/DATABASE_URL cannot be used: .* encoded in LATIN1/)])
    expect(await query(connection as Connection, `select from pg_tables where schemaname = 'public'`)).toEqual([])
  })

  it('with the sslmode=require that its server does not know is told in one line', async () => {
    const [code, told] = await failedStart({ DATABASE_URL: `${databaseUrl}&sslmode=require` })
    expect([code, told]).toEqual([1, expect.stringMatching(/DATABASE_URL cannot be used: .*SSL/)])
  })
})

describe('a server on DATABASE_URL', () => {
  it('serves, and says so without the address', async () => {
    const caseward = await startCaseward({ DATABASE_URL: databaseUrl })
    expect(caseward.stderr()).toContain('Data: in the PostgreSQL of DATABASE_URL')
    expect((await caseward.request('GET', '/readyz')).status).toBe(200)
    expect((await caseward.request('GET', '/v1/projects')).status).toBe(200)
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
  })

  it('runs no jobs but its own: a crontab where it is started is somebody else’s', async () => {
    const folder = await createTemporaryDirectory()
    await writeFile(join(folder, 'crontab'), '* * * * * send_mail ?fill=1h\n')
    const caseward = await startCaseward({ DATABASE_URL: databaseUrl }, { directory: folder })
    const { db, close } = connectTo(database.connection, { poolSize: 1, onError: () => {} })
    onTestFinished(close)
    expect((await sql`select from graphile_worker._private_known_crontabs`.execute(db)).rows).toEqual([])
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
  })
})

describe('SIGTERM', () => {
  /** A request whose body is not complete yet, on a connection that its client keeps open. */
  async function startRequest(url: string) {
    const body = JSON.stringify({ name: 'In flight', prefix: 'FLY' })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let answer = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text
    })
    const closed = once(socket, 'close')
    socket.write(
      `POST /v1/projects HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${ADMIN_TOKEN}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, -5)}`,
    )
    return {
      finish: () => void socket.write(body.slice(-5)),
      answer: async () => {
        await closed
        return answer
      },
    }
  }
  const refusesConnections = async (url: string) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    return await new Promise<boolean>((resolve) => {
      socket.once('error', () => resolve(true)).once('connect', () => resolve(false))
    }).finally(() => socket.destroy())
  }

  it('takes no more connections, finishes the request in flight and ends at once, even when sent twice', async () => {
    const caseward = await startCaseward({ DATABASE_URL: databaseUrl })
    // A client that keeps its connection for a next request must not hold the end up.
    await caseward.request('GET', '/healthz')
    const request = await startRequest(caseward.url)
    await expect.poll(() => refusesConnections(caseward.url)).toBe(false)
    caseward.signal('SIGTERM')
    await expect.poll(() => refusesConnections(caseward.url)).toBe(true)
    caseward.signal('SIGTERM')
    request.finish()
    const start = performance.now()
    expect(await request.answer()).toMatch(/^HTTP\/1\.1 201 /)
    expect(await caseward.ended).toBe(0)
    expect(performance.now() - start).toBeLessThan(3000)
  })

  it('waits no longer than ten seconds for a request that does not come to an end', async () => {
    const caseward = await startCaseward({ DATABASE_URL: databaseUrl })
    const request = await startRequest(caseward.url)
    await caseward.request('GET', '/healthz')
    const start = performance.now()
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
    expect(performance.now() - start).toBeGreaterThan(9_000)
    expect(performance.now() - start).toBeLessThan(13_000)
    expect(await request.answer()).toBe('')
  })
})

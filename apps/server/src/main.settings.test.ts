import { join } from 'node:path'

import type { Connection } from '@caseward/embedded-postgres'
import { getDatabaseUrl, startCaseward } from '@caseward/test-support/caseward-process'
import { cloneDatabase, createEmptyDatabase, createLatin1Database } from '@caseward/test-support/database'
import { query } from '@caseward/test-support/query'
import { startService } from '@caseward/test-support/service'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { occupyPort, startAndFail } from '../test/start-and-fail.ts'
import { startRequest } from '../test/unfinished-request.ts'

let database: { connection: pg.PoolConfig; drop(): Promise<void> }
let databaseUrl: string
beforeAll(async () => {
  database = await cloneDatabase()
  databaseUrl = getDatabaseUrl(database.connection)
})
afterAll(() => database.drop())

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

describe('a failed start', () => {
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

describe('shutdown on SIGTERM', () => {
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

import { readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { listMigrations, migrateInTransaction } from '@caseward/server/platform/database/migrate'
import { createTarget, openClient } from '@caseward/test-support/backup-scenario'
import { getDatabaseUrl } from '@caseward/test-support/caseward-process'
import { cloneDatabase, type TestDatabase } from '@caseward/test-support/database'
import { query } from '@caseward/test-support/query'
import { startService } from '@caseward/test-support/service'
import { listServiceTables, readDigests } from '@caseward/test-support/table-digests'
import { createTemporaryDirectory, findProcessesIn } from '@caseward/test-support/temporary-directory'
import { createUnmanagedDirectory } from '@caseward/test-support/unmanaged-directory'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { runCommand, runCommandProcess, startCommand } from './run-server-command.ts'

const TIMEOUT_MS = 180_000

/** Inserts so many rows that a copy can be interrupted. */
const insertManyRows = (connection: pg.PoolConfig) =>
  query(
    connection as pg.ClientConfig,
    `insert into audit_log (id, at, action, actor_kind, actor_name, subject_kind, subject_name)
     select uuid_v7_in_batch(now(), n), now(), 'user.create', 'system', 'System', 'user', md5(n::text) || md5((-n)::text)
     from generate_series(1, 100000) n`,
  )

describe('admin backup and admin restore', () => {
  it(
    'move the data of a running service with the embedded database to DATABASE_URL, and back',
    { timeout: TIMEOUT_MS },
    async () => {
      const directory = await createTemporaryDirectory()
      const [toServer, toEmbedded] = [join(directory, 'first.gz'), join(directory, 'second.gz')]
      const first = await startService({ DATA_DIR: join(directory, 'first') })
      expect((await first.request('POST', '/v1/projects', { name: 'Moved', prefix: 'MOV' })).status).toBe(201)
      const backup = await runCommandProcess(['admin', 'backup', toServer], { DATA_DIR: join(directory, 'first') })
      expect(backup).toMatchObject({ exitCode: 0, stderr: '' })
      expect(backup.stdout).toMatch(
        /^Wrote \d+ rows of \d+ tables to .*first\.gz \(0\.\d MB\)\.\n.* store it encrypted\.\n$/,
      )
      expect(((await stat(toServer)).mode & 0o777).toString(8)).toBe('600')
      first.signal('SIGTERM')
      expect(await first.ended).toBe(0)

      const database = await createTarget()
      const DATABASE_URL = getDatabaseUrl(database)
      const restored = await runCommand(['admin', 'restore', toServer], { DATABASE_URL })
      expect(restored).toMatchObject({ exitCode: 0, stderr: '' })
      expect(restored.stdout).toMatch(
        /^Restored .*\n\d+ rows of \d+ tables, from \d{4}-.* UTC, written by Caseward 0\./,
      )
      expect((await runCommand(['admin', 'backup', toEmbedded], { DATABASE_URL })).exitCode).toBe(0)

      const settings = { DATA_DIR: join(directory, 'second') }
      const embedded = await runCommand(['admin', 'restore', toEmbedded], settings)
      expect(embedded).toMatchObject({ exitCode: 0, stderr: '' })
      const second = await startService(settings)
      expect((await second.request('GET', '/v1/projects')).body).toMatchObject({ data: [{ name: 'Moved' }] })
      const again = await runCommandProcess(['admin', 'restore', toEmbedded], settings)
      expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('already in use')])
      second.signal('SIGTERM')
      expect(await second.ended).toBe(0)
      const stopped = await runCommand(['admin', 'restore', toEmbedded], settings)
      expect([stopped.exitCode, stopped.stderr]).toEqual([1, expect.stringMatching(/^The database is not empty: /)])
      expect(await findProcessesIn(directory)).toEqual([])
    },
  )

  it('create no database for a damaged file, and name what is wrong', { timeout: TIMEOUT_MS }, async () => {
    const directory = await createTemporaryDirectory()
    const file = join(directory, 'backup.gz')
    const { connection, drop } = await cloneDatabase()
    onTestFinished(drop)
    await runCommand(['admin', 'backup', file], { DATABASE_URL: getDatabaseUrl(connection) })
    expect((await runCommand(['admin', 'verify-backup', file], {})).stdout).toMatch(/^.*backup\.gz is complete\.\n/)
    await truncate(file, (await stat(file)).size - 10)
    for (const command of ['restore', 'verify-backup']) {
      const result = await runCommand(['admin', command, file], { DATA_DIR: join(directory, 'data') })
      expect(result).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: `${file} is damaged: it is incomplete. Use another backup.\n`,
      })
    }
    expect(await readdir(directory)).toEqual(['backup.gz'])
  })

  it('back up the database of an earlier version, as before an update', { timeout: TIMEOUT_MS }, async () => {
    const file = join(await createTemporaryDirectory(), 'backup.gz')
    const older = await createTarget()
    const names = await listMigrations()
    await migrateInTransaction(await openClient(older), names.slice(0, -1))
    const backup = await runCommand(['admin', 'backup', file], { DATABASE_URL: getDatabaseUrl(older) })
    expect(backup).toMatchObject({ exitCode: 0, stderr: '' })
    const { stdout } = await runCommand(['admin', 'verify-backup', file], {})
    expect(stdout).toContain(`(migration ${names.at(-2)})`)
  })

  it('fail without a stack when a file exists or is missing', { timeout: TIMEOUT_MS }, async () => {
    const file = join(await createTemporaryDirectory(), 'backup.gz')
    const DATABASE_URL = getDatabaseUrl(await createTarget())
    const missing = await runCommand(['admin', 'restore', file], { DATABASE_URL })
    expect(missing.stderr).toBe(`Cannot read ${file}: it, or its directory, does not exist.\n`)
    const empty = await runCommand(['admin', 'backup', file], { DATABASE_URL })
    expect([empty.exitCode, empty.stderr]).toEqual([1, expect.stringMatching(/^the database is empty/)])
    const { connection, drop } = await cloneDatabase()
    onTestFinished(drop)
    await writeFile(file, '')
    const existing = await runCommand(['admin', 'backup', file], { DATABASE_URL: getDatabaseUrl(connection) })
    expect([existing.exitCode, existing.stderr]).toEqual([1, expect.stringContaining('exists already')])
  })
})

describe('admin backup that cannot write', () => {
  it('names the reason, leaves nothing, and works when the reason is gone', { timeout: TIMEOUT_MS }, async () => {
    const directory = await createTemporaryDirectory()
    const { connection, drop } = await cloneDatabase()
    onTestFinished(drop)
    const settings = { DATABASE_URL: getDatabaseUrl(connection) }
    const file = join(directory, 'backup.gz')
    const backUp = (path: string) => runCommand(['admin', 'backup', path], settings)
    // Fails within the file, as on a full disk.
    const tooLarge = await runCommandProcess(['admin', 'backup', file], settings, '-f 1')
    expect([tooLarge.exitCode, tooLarge.stderr]).toEqual([
      1,
      expect.stringMatching(/^Cannot write .*: it is larger than/),
    ])
    expect(await readdir(directory)).toEqual([])
    expect(await backUp(file)).toMatchObject({ exitCode: 0, stderr: '' })
    const missing = join(directory, 'missing', 'backup.gz')
    expect((await backUp(missing)).stderr).toBe(`Cannot write ${missing}: its directory does not exist.\n`)
    const below = join(file, 'backup.gz')
    expect((await backUp(below)).stderr).toBe(`Cannot write ${below}: its directory is a file.\n`)
    expect(await readdir(directory)).toEqual(['backup.gz'])
  })
})

describe('admin commands that are interrupted', () => {
  let source: TestDatabase
  let settings: { DATABASE_URL: string }
  let directory: string
  let file: string
  beforeAll(async () => {
    source = await cloneDatabase()
    settings = { DATABASE_URL: getDatabaseUrl(source.connection) }
    await insertManyRows(source.connection)
    directory = await createUnmanagedDirectory()
    file = join(directory, 'backup.gz')
    await runCommand(['admin', 'backup', file], settings)
  })
  afterAll(async () => {
    await source.drop()
    await rm(directory, { recursive: true })
  })

  /** Deletes the entries of the audit log about an action, and returns their details. */
  const takeEntries = (connection: pg.PoolConfig, action: string) =>
    query<{ detail: object }>(connection, `delete from audit_log where action = '${action}' returning detail`)

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'leave an empty database after %s of admin restore, which can be repeated',
    { timeout: TIMEOUT_MS },
    async (signal) => {
      const target = await createTarget()
      const restoreSettings = { DATABASE_URL: getDatabaseUrl(target) }
      const { child, result } = startCommand(['admin', 'restore', file], restoreSettings)
      const selectCopies = () =>
        query(target as pg.ClientConfig, 'select from pg_stat_progress_copy where tuples_processed > 1000')
      await expect.poll(selectCopies, { interval: 5, timeout: 60_000 }).toHaveLength(1)
      child.kill(signal)
      const { exitCode, stderr } = await result
      expect([exitCode, stderr]).toEqual(signal === 'SIGKILL' ? [null, ''] : [1, 'Canceled.\n'])
      await expect.poll(() => listServiceTables(target), { timeout: 30_000 }).toEqual([])
      expect((await runCommand(['admin', 'restore', file], restoreSettings)).exitCode).toBe(0)
      // The restore is recorded in the audit log, and nothing else differs.
      expect(await takeEntries(target, 'instance.restore')).toEqual([
        { detail: expect.objectContaining({ command: 'admin restore', file: 'backup.gz' }) },
      ])
      await takeEntries(source.connection, 'instance.back_up')
      expect(await readDigests(target)).toEqual(await readDigests(source.connection))
    },
  )

  it('leave no file with the name of the backup after SIGKILL of admin backup', { timeout: TIMEOUT_MS }, async () => {
    const otherDirectory = await createTemporaryDirectory()
    const otherFile = join(otherDirectory, 'other.gz')
    const { child, result } = startCommand(['admin', 'backup', otherFile], settings)
    await expect.poll(() => readdir(otherDirectory), { interval: 5, timeout: 30_000 }).not.toEqual([])
    child.kill('SIGKILL')
    expect((await result).exitCode).toBeNull()
    expect(await readdir(otherDirectory)).toEqual([expect.stringMatching(/^other\.gz\.incomplete-/)])
    await takeEntries(source.connection, 'instance.back_up')
    expect((await runCommand(['admin', 'backup', otherFile], settings)).exitCode).toBe(0)
    expect(await takeEntries(source.connection, 'instance.back_up')).toEqual([
      { detail: { command: 'admin backup', file: 'other.gz' } },
    ])
  })
})

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { getDatabaseUrl } from '@caseward/test-support/caseward-process'
import { cloneDatabase, createEmptyDatabase } from '@caseward/test-support/database'
import { query } from '@caseward/test-support/query'
import { startService } from '@caseward/test-support/service'
import { createTemporaryDirectory } from '@caseward/test-support/temporary-directory'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { runCommand, runCommandProcess } from './run-server-command.ts'

const getLink = (text: string) => /^http:\S+\/reset\/\S+$/m.exec(text)?.[0] ?? ''

// admin-commands-embedded.test.ts has those beside a service.
describe('admin commands with the embedded database', () => {
  it('fail with exit code 1 and create nothing when there is no database', async () => {
    const directory = await createTemporaryDirectory()
    const { exitCode, stdout, stderr } = await runCommand(['admin', 'list'], {
      DATA_DIR: join(directory, 'data'),
    })
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^There is no database in .*: start Caseward first, or set DATA_DIR/)
  })
})

describe('admin commands with DATABASE_URL', () => {
  let database: { connection: pg.PoolConfig; drop(): Promise<void> }
  let settings: { DATABASE_URL: string }
  beforeAll(async () => {
    database = await cloneDatabase()
    settings = { DATABASE_URL: getDatabaseUrl(database.connection) }
    const insert = (id: number, fields: string) =>
      query(
        database.connection as pg.ClientConfig,
        `insert into users (id, email, name, is_instance_admin, disabled_at) values ('00000000-0000-7000-8000-00000000000${id}', ${fields})`,
      )
    await insert(1, `'grace@example.test', 'Grace', false, null`)
    await insert(2, `'disabled@example.test', 'Mallory', true, '2026-11-03'`)
    await insert(3, `'control@example.test', E'Eve\\x1b[2J', true, null`)
  })
  afterAll(() => database.drop())

  it('grant the administration once, and list disabled administrators and unprintable names', async () => {
    const grant = () => runCommand(['admin', 'grant', 'grace@example.test'], settings)
    expect(await grant()).toEqual({
      exitCode: 0,
      stdout: 'grace@example.test is now an instance administrator.\n',
      stderr: '',
    })
    expect((await grant()).stdout).toBe('grace@example.test is an instance administrator already.\n')
    expect((await runCommand(['admin', 'list'], settings)).stdout.split('\n')).toEqual([
      'grace@example.test  Grace  (has not signed in)',
      'disabled@example.test  Mallory  (disabled 2026-11-03 00:00 UTC)',
      'control@example.test  Eve?[2J  (has not signed in)',
      '',
    ])
  })

  it('adopt-files says what it would do, and binds the file store with --yes', async () => {
    const env = { ...settings, FILES_DIR: join(await createTemporaryDirectory(), 'files') }
    const plan = await runCommand(['admin', 'adopt-files'], env)
    expect(plan).toMatchObject({ exitCode: 0, stderr: '' })
    expect(plan.stdout).toContain('is empty, and would belong to this database')
    expect((await runCommand(['admin', 'adopt-files', '--yes'], env)).stdout).toContain('belongs to this database now')
    expect((await runCommand(['admin', 'adopt-files'], env)).stdout).toContain('belongs to this database already')

    const other = { ...env, FILES_DIR: join(await createTemporaryDirectory(), 'files') }
    expect((await runCommand(['admin', 'adopt-files'], other)).stdout).toContain('would be missing')
    const started = await startService(other)
    expect(await started.ended).toBe(1)
    expect(started.stderr()).toContain('Caseward cannot start: the file store')
    await writeFile(other.FILES_DIR, 'a file')
    const failed = await runCommand(['admin', 'adopt-files'], other)
    expect([failed.exitCode, failed.stderr]).toEqual([1, expect.stringContaining('ENOTDIR')])
  })

  it.each([
    ['unknown', 'nobody@example.test', 'No account has the email address nobody@example.test.\n'],
    ['disabled', 'disabled@example.test', /^The account disabled@example\.test is disabled\./],
  ])('fail with exit code 1 for an email address that is %s', async (_, email, message) => {
    for (const command of ['grant', 'reset-password', 'sign-in-link', 'unlink']) {
      const { exitCode, stdout, stderr } = await runCommand(['admin', command, email], settings)
      expect([exitCode, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(message)
    }
  })

  it('print a link that starts with http://localhost and PORT when PUBLIC_URL is not set', async () => {
    const args = ['admin', 'reset-password', 'grace@example.test']
    const { stdout } = await runCommand(args, { ...settings, PORT: '8080' })
    expect(getLink(stdout)).toMatch(/^http:\/\/localhost:8080\/reset\/[\w-]{43}$/)
  })

  it('print a link to sign in where no passwords are accepted, and refuse to reset one', async () => {
    const required = {
      ...settings,
      SIGN_IN: 'single-sign-on',
      OIDC_ISSUER: 'https://login.example.test',
      OIDC_CLIENT_ID: 'caseward',
    }
    const link = await runCommand(['admin', 'sign-in-link', 'grace@example.test'], required)
    expect([link.exitCode, link.stdout]).toEqual([0, expect.stringMatching(/\/sign-in\/link\/[\w-]{43}\n$/)])
    const reset = await runCommand(['admin', 'reset-password', 'grace@example.test'], required)
    expect([reset.exitCode, reset.stderr]).toEqual([1, expect.stringContaining('admin sign-in-link <email>')])
  })

  it('remove the links of an account with the sign-in provider, once', async () => {
    const insert = `insert into sign_in_identities (id, user_id, issuer, subject)
      values (gen_random_uuid(), '00000000-0000-7000-8000-000000000001', 'https://login.example.test', 'grace')`
    await query(database.connection as pg.ClientConfig, insert)
    const unlink = () => runCommand(['admin', 'unlink', 'grace@example.test'], settings)
    expect((await unlink()).stdout).toContain('no longer linked with https://login.example.test.')
    expect((await unlink()).stdout).toBe('grace@example.test is not linked with a sign-in provider.\n')
  })

  it('fail with exit code 1 when the database is empty or not reachable, without showing its password', async () => {
    const empty = await createEmptyDatabase()
    onTestFinished(empty.drop)
    const onEmpty = await runCommand(['admin', 'list'], { DATABASE_URL: getDatabaseUrl(empty.connection) })
    expect([onEmpty.exitCode, onEmpty.stderr]).toEqual([1, expect.stringContaining('Start the service once')])
    const tables = `select tablename from pg_tables where schemaname = 'public'`
    expect(await query(empty.connection as pg.ClientConfig, tables)).toEqual([])
    const DATABASE_URL = 'postgres://user:secret@127.0.0.1:1/caseward'
    const refused = await runCommand(['admin', 'list'], { DATABASE_URL })
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('cannot be used')])
    expect(refused.stderr).not.toContain('secret')
  })

  it.each([
    [['admin']],
    [['admin', 'distribute', '--no']],
    [['admin', 'grant']],
    [['admin', 'list', 'all']],
    [['admin', 'grant', 'ada']],
    [['admin', 'backup']],
    [['serve']],
  ])('with the arguments %j print the usage and fail with code 2', async (args) => {
    const { exitCode, stdout, stderr } = await runCommand(args, settings)
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain('admin reset-password <email>')
  })

  it('end the process with the exit code of the command', async () => {
    const { exitCode, stdout, stderr } = await runCommandProcess(['admin'], settings)
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain('admin reset-password <email>')
  })

  it.each([[['--help']], [['help']], [['admin', '--help']]])('print the usage with %j', async (args) => {
    const { exitCode, stdout, stderr } = await runCommand(args, {})
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout).toContain('admin grant <email>')
  })
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { cloneDatabase } from '@caseward/test-support/database'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'

import { readConfig } from '../../config.ts'
import { connect, type Database } from '../../platform/database/connect.ts'
import { createOwnFileStore } from '../../platform/files/open-file-store.ts'
import { verifyPassword } from '../auth/password.ts'
import { insertUser } from '../auth/users/users.queries.ts'
import { SYSTEM_ACTOR } from '../audit/record-audit.ts'
import { createProject } from '../projects/create-project.ts'
import { ensureDemo } from './ensure-demo.ts'

async function openDatabase() {
  const { connection, drop } = await cloneDatabase()
  const { db, close } = connect(connection, { poolSize: 2, onError: () => {}, onWarning: () => {} })
  onTestFinished(async () => {
    await close()
    await drop()
  })
  return db
}

/** The files of the demo are in a directory of the test; one that does not exist and cannot be created is the default. */
async function create(db: Database, filesDir = '/dev/null/files') {
  const fileStore = createOwnFileStore(db, readConfig({ FILES_DIR: filesDir, FILES_MIN_FREE_MB: '0' }))
  const warnings: string[] = []
  const log = { warn: (_: object, message: string) => warnings.push(message) } as unknown as FastifyBaseLogger
  const account = await ensureDemo(db, { fileStore, fileLimitBytes: 1_048_576, allowsShares: false, log })
  const hasFiles = !filesDir.startsWith('/dev')
  expect(warnings).toEqual(account === null || hasFiles ? [] : ['the demo has no files'])
  return account
}

it('leaves neither an account nor a project of a demo that fails, and creates it at the next start', async () => {
  const db = await openDatabase()
  const countAll = async () =>
    (
      await sql<{ count: number }>`
      select ((select count(*) from users) + (select count(*) from projects))::int as count`.execute(db)
    ).rows[0]?.count
  await sql`alter table folders add constraint no_folders check (false)`.execute(db)
  await expect(create(db)).rejects.toThrow('no_folders')
  expect(await countAll()).toBe(0)
  await sql`alter table folders drop constraint no_folders`.execute(db)
  expect(await create(db)).toEqual({ email: 'demo@example.org', password: expect.any(String) })
})

it('deletes no project and no account, whatever their names are', async () => {
  const db = await openDatabase()
  const email = 'ada@example.org'
  const user = await insertUser(db, { email, name: 'Ada', passwordHash: null })
  const name = 'Web shop (demo, being created)'
  const fields = { name, prefix: 'WEB', description: '', adminId: user?.id ?? '' }
  await createProject(db, SYSTEM_ACTOR, fields)
  expect(await create(db)).toBeNull()
  expect(await db.selectFrom('projects').select('name').execute()).toEqual([{ name }])
  expect(await db.selectFrom('users').select('email').execute()).toEqual([{ email }])
})

it('creates an account with a random password in an empty database, and nothing the second time', async () => {
  const db = await openDatabase()
  const directory = await mkdtemp(join(tmpdir(), 'caseward-demo-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const account = await create(db, directory)
  expect(await db.selectFrom('files').select('byte_count').execute()).toHaveLength(4)
  // Shared reports are turned off.
  expect(await db.selectFrom('shares').select('id').execute()).toEqual([])
  expect(account).toEqual({ email: 'demo@example.org', password: expect.stringMatching(/^[\w-]{16}$/) })
  const users = await db.selectFrom('users').select(['email', 'password_hash', 'is_instance_admin']).execute()
  expect(users.filter(({ password_hash: hash }) => hash !== null).map(({ email }) => email)).toEqual([account?.email])
  expect(users.filter((user) => user.is_instance_admin).map(({ email }) => email)).toEqual([account?.email])
  const hash = users.find(({ email }) => email === account?.email)?.password_hash ?? null
  expect(await verifyPassword(account?.password ?? '', hash)).toBe(true)
  expect(await create(db)).toBeNull()
})

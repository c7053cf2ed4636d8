import { cloneDatabase } from '@caseward/test-support/database'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'

import { connect } from '../../platform/database/connect.ts'
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

it('leaves neither an account nor a project of a demo that fails, and creates it at the next start', async () => {
  const db = await openDatabase()
  const countAll = async () =>
    (
      await sql<{ count: number }>`
      select ((select count(*) from users) + (select count(*) from projects))::int as count`.execute(db)
    ).rows[0]?.count
  await sql`alter table runs add constraint no_runs check (name not like 'Nightly%')`.execute(db)
  await expect(ensureDemo(db)).rejects.toThrow('no_runs')
  expect(await countAll()).toBe(0)
  await sql`alter table runs drop constraint no_runs`.execute(db)
  expect(await ensureDemo(db)).toEqual({ email: 'demo@example.org', password: expect.any(String) })
})

it('deletes no project and no account, whatever their names are', async () => {
  const db = await openDatabase()
  const email = 'ada@example.org'
  const user = await insertUser(db, { email, name: 'Ada', passwordHash: null })
  const name = 'Web shop (demo, being created)'
  const fields = { name, prefix: 'WEB', description: '', adminId: user?.id ?? '' }
  await createProject(db, SYSTEM_ACTOR, fields)
  expect(await ensureDemo(db)).toBeNull()
  expect(await db.selectFrom('projects').select('name').execute()).toEqual([{ name }])
  expect(await db.selectFrom('users').select('email').execute()).toEqual([{ email }])
})

it('creates an account with a random password in an empty database, and nothing the second time', async () => {
  const db = await openDatabase()
  const account = await ensureDemo(db)
  expect(account).toEqual({ email: 'demo@example.org', password: expect.stringMatching(/^[\w-]{16}$/) })
  const users = await db.selectFrom('users').select(['email', 'password_hash', 'is_instance_admin']).execute()
  expect(users.filter(({ password_hash: hash }) => hash !== null).map(({ email }) => email)).toEqual([account?.email])
  expect(users.filter((user) => user.is_instance_admin).map(({ email }) => email)).toEqual([account?.email])
  const hash = users.find(({ email }) => email === account?.email)?.password_hash ?? null
  expect(await verifyPassword(account?.password ?? '', hash)).toBe(true)
  expect(await ensureDemo(db)).toBeNull()
})

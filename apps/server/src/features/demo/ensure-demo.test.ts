import { cloneDatabase } from '@caseward/test-support/database'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'

import { connect } from '../../platform/database/connect.ts'
import { verifyPassword } from '../auth/password.ts'
import { UNFINISHED_DEMO_NAME } from './create-demo.ts'
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

it('leaves no account of a demo that fails, and creates it again when a server was stopped meanwhile', async () => {
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
  const first = await ensureDemo(db)
  const count = await countAll()
  await db.updateTable('projects').set({ name: UNFINISHED_DEMO_NAME }).execute()
  const second = await ensureDemo(db)
  expect(second).toEqual({ email: first?.email, password: expect.any(String) })
  expect(second?.password).not.toBe(first?.password)
  expect(await countAll()).toBe(count)
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

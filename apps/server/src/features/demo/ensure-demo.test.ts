import { cloneDatabase } from '@caseward/test-support/database'
import { expect, it, onTestFinished } from 'vitest'

import { connect } from '../../platform/database/connect.ts'
import { verifyPassword } from '../auth/password.ts'
import { ensureDemo } from './ensure-demo.ts'

it('creates an account with a random password in an empty database, and nothing the second time', async () => {
  const { connection, drop } = await cloneDatabase()
  const { db, close } = connect(connection, { poolSize: 2, onError: () => {}, onWarning: () => {} })
  onTestFinished(async () => {
    await close()
    await drop()
  })
  const account = await ensureDemo(db)
  expect(account).toEqual({ email: 'demo@example.org', password: expect.stringMatching(/^[\w-]{16}$/) })
  const users = await db.selectFrom('users').select(['email', 'password_hash', 'is_instance_admin']).execute()
  expect(users.filter(({ password_hash: hash }) => hash !== null).map(({ email }) => email)).toEqual([account?.email])
  expect(users.filter((user) => user.is_instance_admin).map(({ email }) => email)).toEqual([account?.email])
  const hash = users.find(({ email }) => email === account?.email)?.password_hash ?? null
  expect(await verifyPassword(account?.password ?? '', hash)).toBe(true)
  expect(await ensureDemo(db)).toBeNull()
})

import { verify } from '@node-rs/argon2'
import { beforeEach, describe, expect, it } from 'vitest'

import { cloneDatabase } from '@caseward/test-support/database'
import { useTestServer } from '@caseward/test-support/test-server'
import { removeUsers } from '@caseward/test-support/users'
import { connect } from '../../../platform/database/connect.ts'
import { generateTokenSecret } from '../../../access/secret.ts'
import { ensureFirstAdmin } from './ensure-first-admin.ts'

/** Has the form of a generated token with a wrong checksum. */
const tokenWithWrongChecksum = `cwp_${'a'.repeat(49)}`
const adminToken = 'a-token-of-32-characters-or-more'
const admin = { adminEmail: 'Admin@Example.test', adminPassword: 'correct horse', adminToken: null }

describe('ensureFirstAdmin', () => {
  const server = useTestServer({ adminToken: tokenWithWrongChecksum })
  beforeEach(() => removeUsers(server))

  const selectUsers = () => server.db.selectFrom('users').selectAll().execute()
  const countTokens = async () => (await server.db.selectFrom('api_tokens').select('id').execute()).length

  it('creates the first user with the hashed password', async () => {
    expect(await ensureFirstAdmin(server.db, admin)).toBe('Admin@Example.test')
    const [user, ...others] = await selectUsers()
    expect(others).toEqual([])
    expect(user).toMatchObject({ email: 'Admin@Example.test', name: 'Admin' })
    expect(user?.password_hash).toMatch(/^\$argon2id\$/)
    expect(await verify(user?.password_hash ?? '', 'correct horse')).toBe(true)
  })

  it('creates no user without ADMIN_EMAIL', async () => {
    expect(await ensureFirstAdmin(server.db, { ...admin, adminEmail: null })).toBeNull()
    expect(await selectUsers()).toEqual([])
  })

  it('creates no user without ADMIN_PASSWORD and ADMIN_TOKEN, because nobody could sign in', async () => {
    expect(await ensureFirstAdmin(server.db, { ...admin, adminPassword: null })).toBeNull()
    expect(await selectUsers()).toEqual([])
  })

  it('creates the first user without a password where single sign-on is required', async () => {
    for (const adminPassword of [null, 'correct horse']) {
      await ensureFirstAdmin(server.db, { ...admin, adminPassword, signIn: 'single-sign-on' })
    }
    expect(await selectUsers()).toMatchObject([{ email: 'Admin@Example.test', password_hash: null }])
  })

  it('neither creates nor changes a user when there are users', async () => {
    await ensureFirstAdmin(server.db, admin)
    expect(await ensureFirstAdmin(server.db, { ...admin, adminPassword: 'another' })).toBeNull()
    expect(await ensureFirstAdmin(server.db, { ...admin, adminEmail: 'second@example.test' })).toBeNull()
    const [user, ...others] = await selectUsers()
    expect(others).toEqual([])
    expect(await verify(user?.password_hash ?? '', 'correct horse')).toBe(true)
  })

  it('creates a user without a password when only ADMIN_TOKEN is set', async () => {
    await ensureFirstAdmin(server.db, { ...admin, adminPassword: null, adminToken })
    expect(await server.request('GET', '/v1/me', { token: adminToken })).toMatchObject({
      status: 200,
      body: { data: { email: 'Admin@Example.test', has_password: false } },
    })
  })

  it.each([
    // The server remembers for a moment whose the other one was.
    ['plain text', 'another-token-of-32-characters-or-more'],
    ['any printable characters', `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~0A`],
    ['of the form of a generated token with a wrong checksum', tokenWithWrongChecksum],
    ['a generated personal token', generateTokenSecret('personal')],
    ['a generated CI token', generateTokenSecret('ci')],
    ['512 characters long', 'x'.repeat(512)],
  ])('creates a write token with the value of ADMIN_TOKEN when it is %s', async (_, token) => {
    await ensureFirstAdmin(server.db, { ...admin, adminToken: token })
    const body = { name: 'First', prefix: 'ONE' }
    expect((await server.request('POST', '/v1/projects', { token, body })).status).toBe(201)
    const rows = await server.db.selectFrom('api_tokens').select(['kind', 'access', 'expires_at']).execute()
    expect(rows).toEqual([{ kind: 'personal', access: 'write', expires_at: null }])
  })

  it('creates the token only for the user with ADMIN_EMAIL, in upper or lower case', async () => {
    await ensureFirstAdmin(server.db, admin)
    await ensureFirstAdmin(server.db, { ...admin, adminEmail: 'stranger@example.test', adminToken })
    expect(await countTokens()).toBe(0)
    await ensureFirstAdmin(server.db, { ...admin, adminEmail: 'ADMIN@example.TEST', adminToken })
    expect(await countTokens()).toBe(1)
  })

  it('warns only when the token does not exist and no user has ADMIN_EMAIL', async () => {
    const warnings: string[] = []
    const ensure = (adminEmail: string) =>
      ensureFirstAdmin(server.db, { ...admin, adminEmail, adminToken }, (message) => void warnings.push(message))
    await ensureFirstAdmin(server.db, admin)
    await ensure('stranger@example.test')
    expect(warnings).toEqual([
      'ADMIN_TOKEN was not created: users exist, but none has the email address in ADMIN_EMAIL',
    ])
    await ensure('admin@example.test')
    await ensure('stranger@example.test')
    expect(warnings).toHaveLength(1)
  })
})

describe('ensureFirstAdmin on several servers that start at the same moment', () => {
  it('creates one user and one token', async () => {
    const { connection, drop } = await cloneDatabase()
    const databases = Array.from({ length: 3 }, () => connect(connection, { poolSize: 2, onError: () => {} }))
    const emails = await Promise.all(databases.map(({ db }) => ensureFirstAdmin(db, { ...admin, adminToken })))
    expect(emails.filter((email) => email !== null)).toHaveLength(1)
    for (const { db } of databases.slice(0, 1)) {
      expect(await db.selectFrom('users').select('id').execute()).toHaveLength(1)
      expect(await db.selectFrom('api_tokens').select('id').execute()).toHaveLength(1)
    }
    await Promise.all(databases.map(({ close }) => close()))
    await drop()
  })
})

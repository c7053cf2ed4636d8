import { verify } from '@node-rs/argon2'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { cloneDatabase } from '@caseward/test-support/database'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { connect } from '../../../platform/database/connect.ts'
import { newTokenSecret } from '../../../access/secret.ts'
import { ensureFirstAdmin } from './first-admin.ts'

/** One of ours to look at, but for its checksum. */
const looksLikeOurs = `cwp_${'a'.repeat(49)}`
const tokens = [
  ['plain text', 'a-token-of-32-characters-or-more'],
  ['any printable characters', `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~0A`],
  ['one that looks like ours and is not', looksLikeOurs],
  ['one of ours', newTokenSecret('personal')],
  ['one that looks like a CI token', newTokenSecret('ci')],
  ['a long one', 'x'.repeat(512)],
] as const

describe('ensureFirstAdmin', () => {
  let server: TestServer
  beforeEach(async () => {
    server = await startTestServer({ adminToken: looksLikeOurs })
  })
  afterEach(() => server.close())

  const admin = { adminEmail: 'Admin@Example.test', adminPassword: 'correct horse', adminToken: null }
  const users = () => server.db.selectFrom('users').selectAll().execute()
  const tokenCount = async () => (await server.db.selectFrom('api_tokens').select('id').execute()).length

  it('makes the first user with the password, hashed', async () => {
    expect(await ensureFirstAdmin(server.db, admin)).toBe('Admin@Example.test')
    const [user, ...others] = await users()
    expect(others).toEqual([])
    expect(user).toMatchObject({ email: 'Admin@Example.test', name: 'Admin' })
    expect(user?.password_hash).toMatch(/^\$argon2id\$/)
    expect(await verify(user?.password_hash ?? '', 'correct horse')).toBe(true)
  })

  it('does nothing without an address, and nothing the second time', async () => {
    expect(await ensureFirstAdmin(server.db, { ...admin, adminEmail: null })).toBeNull()
    expect(await users()).toEqual([])
    await ensureFirstAdmin(server.db, admin)
    expect(await ensureFirstAdmin(server.db, { ...admin, adminPassword: 'another' })).toBeNull()
    expect(await ensureFirstAdmin(server.db, { ...admin, adminEmail: 'second@example.test' })).toBeNull()
    const [user, ...others] = await users()
    expect(others).toEqual([])
    expect(await verify(user?.password_hash ?? '', 'correct horse')).toBe(true)
  })

  it('makes nobody who could not come in: with neither password nor token', async () => {
    expect(await ensureFirstAdmin(server.db, { ...admin, adminPassword: null })).toBeNull()
    expect(await users()).toEqual([])
  })

  it('makes a user whom only a token lets in, for provisioning', async () => {
    const adminToken = 'a-token-of-32-characters-or-more'
    await ensureFirstAdmin(server.db, { ...admin, adminPassword: null, adminToken })
    expect(await server.request('GET', '/v1/me', { token: adminToken })).toMatchObject({
      status: 200,
      body: { data: { email: 'Admin@Example.test', has_password: false } },
    })
  })

  it.each(tokens)('makes a write token of exactly the value given: %s', async (_, adminToken) => {
    await ensureFirstAdmin(server.db, { ...admin, adminToken })
    const body = { name: 'First', prefix: 'ONE' }
    expect((await server.request('POST', '/v1/projects', { token: adminToken, body })).status).toBe(201)
    const rows = await server.db.selectFrom('api_tokens').select(['kind', 'access', 'expires_at']).execute()
    expect(rows).toEqual([{ kind: 'personal', access: 'write', expires_at: null }])
  })

  it('makes the token once, and again after it was revoked', async () => {
    const settings = { ...admin, adminToken: 'a-token-of-32-characters-or-more' }
    await ensureFirstAdmin(server.db, settings)
    await ensureFirstAdmin(server.db, settings)
    expect(await tokenCount()).toBe(1)
    await server.db.deleteFrom('api_tokens').execute()
    await ensureFirstAdmin(server.db, settings)
    expect(await tokenCount()).toBe(1)
  })

  it('gives the token to the user of that address, in upper or lower case, and to nobody else', async () => {
    await ensureFirstAdmin(server.db, admin)
    const adminToken = 'a-token-of-32-characters-or-more'
    await ensureFirstAdmin(server.db, { ...admin, adminEmail: 'stranger@example.test', adminToken })
    expect(await tokenCount()).toBe(0)
    await ensureFirstAdmin(server.db, { ...admin, adminEmail: 'ADMIN@example.TEST', adminToken })
    expect(await tokenCount()).toBe(1)
  })

  it('warns when the token is nobody’s, and only then', async () => {
    const warnings: string[] = []
    const settings = { ...admin, adminToken: 'a-token-of-32-characters-or-more' }
    const ensure = (adminEmail: string) =>
      ensureFirstAdmin(server.db, { ...settings, adminEmail }, (message) => void warnings.push(message))
    await ensureFirstAdmin(server.db, admin)
    await ensure('stranger@example.test')
    expect(warnings).toEqual([expect.stringMatching(/^ADMIN_TOKEN is nobody’s: .*ADMIN_EMAIL$/)])
    await ensure('admin@example.test')
    await ensure('stranger@example.test')
    expect(warnings).toHaveLength(1)
  })
})

describe('several servers that start at once', () => {
  it('make one user and one token', async () => {
    const { connection, drop } = await cloneDatabase()
    const settings = {
      adminEmail: 'admin@example.test',
      adminPassword: 'correct horse',
      adminToken: 'a-token-of-32-characters-or-more',
    }
    const servers = Array.from({ length: 3 }, () => connect(connection, { poolSize: 2, onError: () => {} }))
    const made = await Promise.all(servers.map(({ db }) => ensureFirstAdmin(db, settings)))
    expect(made.filter((email) => email !== null)).toHaveLength(1)
    for (const { db } of servers.slice(0, 1)) {
      expect(await db.selectFrom('users').select('id').execute()).toHaveLength(1)
      expect(await db.selectFrom('api_tokens').select('id').execute()).toHaveLength(1)
    }
    await Promise.all(servers.map(({ close }) => close()))
    await drop()
  })
})

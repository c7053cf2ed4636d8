import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { beforeEach, describe, expect, it } from 'vitest'

import { cloneDatabase, createEmptyDatabase } from '@caseward/test-support/database'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUser, removeUsers } from '@caseward/test-support/users'
import { hashSecret } from '../../../access/secret.ts'
import { connect, type Database } from '../../../platform/database/connect.ts'
import { readMigrationFiles, toTransactionText } from '../../../platform/database/migration-files.ts'
import { ensureFirstAdmin } from './ensure-first-admin.ts'

const admin = { adminEmail: 'admin@example.test', adminPassword: null }
/** Other values in each test, because the server remembers those of the test before for a moment. */
let [tokenA, tokenB, tokenC] = ['', '', '']
let testCount = 0
beforeEach(() => {
  testCount += 1
  const create = (letter: string) => `value-${letter}-of-test-${testCount}-with-32-characters-or-more`
  ;[tokenA, tokenB, tokenC] = [create('A'), create('B'), create('C')]
})

describe('ADMIN_TOKEN', () => {
  const server = useTestServer()
  let warnings: string[]
  beforeEach(async () => {
    await removeUsers(server)
    await sql`truncate admin_tokens, audit_log`.execute(server.db)
    warnings = []
  })

  /** Does what a server does at its start. */
  const start = async (adminToken: string, settings: Partial<typeof admin> = {}) => {
    await ensureFirstAdmin(server.db, { ...admin, ...settings, adminToken }, (message) => void warnings.push(message))
  }
  const getStatus = async (token: string) => (await server.request('GET', '/v1/me', { token })).status
  const getStatuses = (tokens: string[]) => Promise.all(tokens.map(getStatus))
  /** How often to look whether the running server does not find revoked tokens in its cache any more. */
  const OFTEN = { interval: 100 }

  it('stays valid at a start with the same value', async () => {
    await start(tokenA)
    await start(tokenA)
    await expect.poll(() => getStatuses([tokenA]), OFTEN).toEqual([200])
    expect(await server.db.selectFrom('api_tokens').select('id').execute()).toHaveLength(1)
    expect(warnings).toEqual([])
  })

  it('is replaced at a start with another value', async () => {
    await start(tokenA)
    await start(tokenB)
    await expect.poll(() => getStatuses([tokenA, tokenB]), OFTEN).toEqual([401, 200])
    await start(tokenC)
    await expect.poll(() => getStatuses([tokenB, tokenC]), OFTEN).toEqual([401, 200])
    expect(await server.db.selectFrom('api_tokens').select('id').execute()).toHaveLength(1)
    expect(warnings).toEqual([])
  })

  it('leaves an entry in the audit log for the token that is created and for the one that is replaced', async () => {
    await start(tokenA)
    await start(tokenB)
    const entries = server.db
      .selectFrom('audit_log')
      .select(['action', 'actor_kind'])
      .where('action', 'like', 'token.%')
    expect(await entries.orderBy('id').execute()).toEqual([
      { action: 'token.create', actor_kind: 'system' },
      { action: 'token.revoke', actor_kind: 'system' },
      { action: 'token.create', actor_kind: 'system' },
    ])
  })

  it('takes the tokens that were created with it along when it is replaced, and keeps all others', async () => {
    await start(tokenA)
    const createToken = async (token: string) => {
      const options = { token, body: { name: 'New' } }
      return (await server.request<{ data: { token: string } }>('POST', '/v1/tokens', options)).body.data.token
    }
    const child = await createToken(tokenA)
    const grandchild = await createToken(child)
    const { token: other } = await makeUser(server)
    await expect.poll(() => getStatuses([child, grandchild, other]), OFTEN).toEqual([200, 200, 200])
    await start(tokenB)
    await expect.poll(() => getStatuses([child, grandchild, other]), OFTEN).toEqual([401, 401, 200])
  })

  it.each([
    ['the API', (id: string) => server.request('DELETE', `/v1/tokens/${id}`, { token: tokenA })],
    ['the database', (id: string) => server.db.deleteFrom('api_tokens').where('id', '=', id).execute()],
  ])(
    'does not become valid again at a start with the same value after it was revoked through %s',
    async (_, revoke) => {
      await start(tokenA)
      const { body } = await server.request<{ data: { id: string }[] }>('GET', '/v1/tokens', { token: tokenA })
      await revoke(body.data[0]?.id ?? '')
      await start(tokenA)
      expect(warnings).toEqual([
        'ADMIN_TOKEN is not valid: this value was revoked or replaced earlier. Set a value that was never used',
      ])
      expect(await server.db.selectFrom('api_tokens').select('id').execute()).toEqual([])
      await start(tokenB)
      await expect.poll(() => getStatuses([tokenB]), OFTEN).toEqual([200])
    },
  )

  it('does not become valid again when a server starts late with a value that was replaced', async () => {
    await start(tokenA)
    await start(tokenB)
    await start(tokenA)
    await expect.poll(() => getStatuses([tokenA, tokenB]), OFTEN).toEqual([401, 200])
    expect(warnings).toHaveLength(1)
  })

  it('is revoked when the value changes although no user has ADMIN_EMAIL', async () => {
    await start(tokenA)
    await start(tokenB, { adminEmail: 'stranger@example.test' })
    await expect.poll(() => getStatuses([tokenA, tokenB]), OFTEN).toEqual([401, 401])
    expect(warnings).toEqual([
      'ADMIN_TOKEN was not created: users exist, but none has the email address in ADMIN_EMAIL',
    ])
    await start(tokenB)
    await expect.poll(() => getStatuses([tokenB]), OFTEN).toEqual([200])
  })

  it('replaces nothing but itself when its value is a token that exists already', async () => {
    await start(tokenA)
    const { body } = await server.request<{ data: { token: string } }>('POST', '/v1/tokens', {
      token: tokenA,
      body: { name: 'Mine' },
    })
    await server.db.updateTable('api_tokens').set({ created_with: null }).execute()
    await start(body.data.token)
    await expect.poll(() => getStatuses([tokenA, body.data.token]), OFTEN).toEqual([401, 200])
    await start(tokenC)
    await expect.poll(() => getStatuses([body.data.token, tokenC]), OFTEN).toEqual([401, 200])
  })

  it('is stored only as its SHA-256 hash', async () => {
    await start(tokenA)
    const rows = await server.db.selectFrom('admin_tokens').selectAll().execute()
    expect(rows.map(({ secret_hash }) => secret_hash.length)).toEqual([32])
    expect(JSON.stringify(rows.map((row) => Object.values(row).map(String)))).not.toContain('value-A')
  })
})

describe('ADMIN_TOKEN of several servers that start at the same moment', () => {
  it.each([
    ['the same new value', (): string[] => [tokenB, tokenB, tokenB, tokenB]],
    ['different new values', (): string[] => [tokenB, tokenC, tokenB, tokenC]],
  ])('is one valid token when they have %s', async (_, getValues) => {
    const values = getValues()
    const { connection, drop } = await cloneDatabase()
    const databases = values.map(() => connect(connection, { poolSize: 2, onError: () => {} }))
    const [first] = databases
    if (first === undefined) throw new Error('no database')
    await ensureFirstAdmin(first.db, { ...admin, adminToken: tokenA })
    await Promise.all(
      databases.map(({ db }, index) => ensureFirstAdmin(db, { ...admin, adminToken: values[index] ?? '' })),
    )
    const tokens = first.db.selectFrom('api_tokens').innerJoin('admin_tokens', 'token_id', 'api_tokens.id')
    expect(await tokens.select('api_tokens.id').execute()).toHaveLength(1)
    expect(await first.db.selectFrom('api_tokens').select('id').execute()).toHaveLength(1)
    await Promise.all(databases.map(({ close }) => close()))
    await drop()
  })
})

describe('the migration of a database in which an earlier version created ADMIN_TOKEN', () => {
  it('lets the next value replace that token, and no other', async () => {
    const { connection, drop } = await createEmptyDatabase()
    const { db, close } = connect(connection, { poolSize: 1, onError: () => {} })
    for (const migration of await readMigrationFiles()) {
      if (migration.name.startsWith('0013')) await insertTokensOfEarlierVersion(db)
      await sql.raw(toTransactionText(migration)).execute(db)
    }
    await ensureFirstAdmin(db, { ...admin, adminToken: tokenB })
    const tokens = await db.selectFrom('api_tokens').select('secret_hash').orderBy('created_at').execute()
    expect(tokens.map(({ secret_hash }) => secret_hash)).toEqual([hashSecret(tokenC), hashSecret(tokenB)])
    await close()
    await drop()
  })

  async function insertTokensOfEarlierVersion(db: Database): Promise<void> {
    const id = uuidv7()
    await sql`insert into users (id, email, name) values (${id}, ${admin.adminEmail}, 'Ada')`.execute(db)
    for (const [name, secret] of [
      ['ADMIN_TOKEN', tokenA],
      ['laptop', tokenC],
    ]) {
      await sql`
        insert into api_tokens (id, kind, user_id, name, access, secret_hash, created_at)
        values (${uuidv7()}, 'personal', ${id}, ${name}, 'write', ${hashSecret(secret ?? '')}, now() - interval '1 day')`.execute(
        db,
      )
    }
  }
})

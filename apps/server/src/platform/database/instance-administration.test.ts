import { readFile } from 'node:fs/promises'

import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'

import { createEmptyDatabase } from '@caseward/test-support/database'
import { connect } from './connect.ts'

describe('migration 0018', () => {
  it('makes the earliest user the instance administrator, and takes the last sign-in from the sessions', async () => {
    const { connection, drop } = await createEmptyDatabase()
    const { db, close } = connect(connection, { poolSize: 1, onError: () => {} })
    onTestFinished(async () => {
      await close()
      await drop()
    })
    const runMigration = async (name: string) => {
      const file = new URL(`../../../migrations/${name}.sql`, import.meta.url)
      await sql.raw(await readFile(file, 'utf8')).execute(db)
    }
    await runMigration('0001_users_and_projects')
    await runMigration('0007_sessions')
    await sql`
      insert into users (id, email, name, created_at) values
        ('00000000-0000-7000-8000-000000000001', 'second@example.test', 'Second', '2026-02-01'),
        ('00000000-0000-7000-8000-000000000002', 'first@example.test', 'First', '2026-01-01'),
        ('00000000-0000-7000-8000-000000000003', 'third@example.test', 'Third', '2026-03-01')`.execute(db)
    await sql`
      insert into sessions (id, user_id, secret_hash, created_at, expires_at)
      select gen_random_uuid(), '00000000-0000-7000-8000-000000000001', sha256(day::text::bytea), day, now()
      from unnest('{2026-02-03,2026-02-05,2026-02-04}'::timestamptz[]) day`.execute(db)
    await runMigration('0018_instance_administration')
    const users = db.selectFrom('users').select(['name', 'is_instance_admin', 'disabled_at', 'last_sign_in_at'])
    expect(await users.orderBy('created_at').execute()).toEqual([
      { name: 'First', is_instance_admin: true, disabled_at: null, last_sign_in_at: null },
      { name: 'Second', is_instance_admin: false, disabled_at: null, last_sign_in_at: new Date('2026-02-05') },
      { name: 'Third', is_instance_admin: false, disabled_at: null, last_sign_in_at: null },
    ])
  })
})

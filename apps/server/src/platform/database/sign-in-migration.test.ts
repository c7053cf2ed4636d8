import { readdir, readFile } from 'node:fs/promises'

import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it, onTestFinished } from 'vitest'

import { createEmptyDatabase } from '@caseward/test-support/database'
import { connect } from './connect.ts'

const directory = new URL('../../../migrations/', import.meta.url)

describe('the migration to confirmed email addresses', () => {
  it('trusts accounts without a password and the first one, and no others', async () => {
    const { connection, drop } = await createEmptyDatabase()
    const { db, close } = connect(connection, { poolSize: 1, onError: () => {} })
    onTestFinished(async () => {
      await close()
      await drop()
    })
    const run = async (file: string) =>
      void (await sql.raw(await readFile(new URL(file, directory), 'utf8')).execute(db))
    for (const file of (await readdir(directory)).toSorted().filter((name) => name < '0012')) await run(file)
    const users = [
      ['operator', 'hash', 1],
      ['single-sign-on', null, 2],
      ['invited', 'hash', 3],
    ] as const
    for (const [name, hash, day] of users) {
      await sql`
        insert into users (id, email, name, password_hash, created_at)
        values (${uuidv7()}, ${`${name}@example.test`}, ${name}, ${hash}, ${`2026-01-0${day}`})`.execute(db)
    }
    await run('0012_sign_in.sql')
    const { rows } = await sql<{ name: string; is_confirmed: boolean }>`
      select name, email_confirmed_at = created_at as is_confirmed from users order by created_at`.execute(db)
    expect(rows.map(({ name, is_confirmed: isConfirmed }) => [name, isConfirmed])).toEqual([
      ['operator', true],
      ['single-sign-on', true],
      ['invited', null],
    ])
  })
})

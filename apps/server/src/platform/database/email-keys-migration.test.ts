import { readdir, readFile } from 'node:fs/promises'

import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it, onTestFinished } from 'vitest'

import { createEmptyDatabase } from '@caseward/test-support/database'
import { connect, type Database } from './connect.ts'

const directory = new URL('../../../migrations/', import.meta.url)

interface OldDatabase {
  db: Database
  /** The warnings of the migrations. */
  warnings: string[]
  /** Runs the migration of the email keys. */
  migrate(): Promise<void>
}

/** Creates a database with the schema before the migration, and without its unique indexes on email addresses. */
async function createOldDatabase(): Promise<OldDatabase> {
  const { connection, drop } = await createEmptyDatabase()
  const warnings: string[] = []
  const onWarning = (message: string) => void warnings.push(message)
  const { db, close } = connect(connection, { poolSize: 1, onError: () => {}, onWarning })
  onTestFinished(async () => {
    await close()
    await drop()
  })
  const run = async (file: string) => void (await sql.raw(await readFile(new URL(file, directory), 'utf8')).execute(db))
  const files = (await readdir(directory)).toSorted()
  for (const file of files.filter((name) => name < '0011')) await run(file)
  // As in a Turkish locale, in which the indexes allow ADMIN@… beside admin@….
  await sql`drop index users_email_key`.execute(db)
  await sql`create unique index users_email_key on users (email)`.execute(db)
  await sql`drop index invitations_pending`.execute(db)
  await sql`create unique index invitations_pending on invitations (email)`.execute(db)
  return { db, warnings, migrate: () => run('0011_email_keys.sql') }
}

async function insertUser(db: Database, email: string): Promise<string> {
  const id = uuidv7()
  await sql`insert into users (id, email, name) values (${id}, ${email}, 'Ada')`.execute(db)
  return id
}

async function insertInvitations(db: Database, emails: string[]): Promise<void> {
  const invitedBy = await insertUser(db, 'inviter@example.test')
  const projectId = uuidv7()
  await sql`insert into projects (id, name, prefix) values (${projectId}, 'Web shop', 'WEB')`.execute(db)
  for (const email of emails) {
    await sql`
      insert into invitations (id, project_id, email, role, invited_by, expires_at)
      values (${uuidv7()}, ${projectId}, ${email}, 'viewer', ${invitedBy}, now())`.execute(db)
  }
}

describe('the migration of email addresses to comparison by ASCII case', () => {
  it('lists the accounts and invitations whose address was found by other spellings, and no others', async () => {
    const { db, warnings, migrate } = await createOldDatabase()
    for (const email of ['adm\u0130n@example.test', 'ADA@example.test', 'zo\u00eb@example.test']) {
      await insertUser(db, email)
    }
    await insertInvitations(db, ['\u212aelvin@example.test'])
    await migrate()
    expect(warnings).toEqual([
      expect.stringMatching(/own: adm\u0130n@example\.test, \u212aelvin@example\.test\. Check/),
    ])
  })

  it('reports nothing when all addresses are ASCII', async () => {
    const { db, warnings, migrate } = await createOldDatabase()
    await insertUser(db, 'ADA@example.test')
    await migrate()
    expect(warnings).toEqual([])
  })

  it('fails and names the accounts that have one address in upper and lower case', async () => {
    const { db, migrate } = await createOldDatabase()
    for (const email of ['admin@example.test', 'ADMIN@example.test', 'ada@example.test']) await insertUser(db, email)
    await expect(migrate()).rejects.toThrow(
      /same email address in upper and lower case: ADMIN@\S+, admin@[^,]+\. Change/,
    )
    expect((await db.selectFrom('users').select('id').execute()).length).toBe(3)
  })

  it('fails and names the pending invitations that have one address in upper and lower case', async () => {
    const { db, migrate } = await createOldDatabase()
    await insertInvitations(db, ['mira@example.test', 'MIRA@example.test', 'ada@example.test'])
    await expect(migrate()).rejects.toThrow(/pending invitations .+: MIRA@\S+, mira@[^,]+\. Revoke/)
  })
})

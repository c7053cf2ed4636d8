import { randomBytes } from 'node:crypto'

import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { recordAudit, SYSTEM_ACTOR } from '../audit/record-audit.ts'
import { hashPassword } from '../auth/password.ts'
import { hasUsers, lockFirstUser } from '../auth/setup/setup.queries.ts'
import { insertUser } from '../auth/users/users.queries.ts'
import type { ChangeAnnouncer } from '../events/change-announcer.ts'
import { deleteProject } from '../projects/delete-project.ts'
import { createDemo, UNFINISHED_DEMO_NAME } from './create-demo.ts'

/** How to sign in to the demo. */
export interface DemoAccount {
  email: string
  /** Null for an account that existed. */
  password: string | null
}

/** Key of the advisory lock that a server holds while it creates the demo. */
const DEMO_LOCK = 6_129_481_022
const EMAIL = 'demo@example.org'
const PASSWORD_BYTES = 12
/** Members who cannot sign in, so that results have several authors. */
const testers = [
  { email: 'ada@example.org', name: 'Ada Okafor' },
  { email: 'ben@example.org', name: 'Ben Lindqvist' },
  { email: 'mira@example.org', name: 'Mira Tanaka' },
]

/** Nobody is connected before the service accepts requests. */
const announcer: ChangeAnnouncer = { add: () => {}, start: async () => {}, close: async () => {} }

/**
 * Creates the demo in a database without projects, with an account for it unless accounts exist.
 * @returns how to sign in; null when there is a project already
 */
export async function ensureDemo(db: Database): Promise<DemoAccount | null> {
  return await db.transaction().execute(async (lock) => {
    await sql`select pg_advisory_xact_lock(${DEMO_LOCK}::bigint)`.execute(lock)
    // While this server has the lock, no other one is about to finish it.
    await removeUnfinishedDemo(db)
    return await createDemoWithAccount(db)
  })
}

async function createDemoWithAccount(db: Database): Promise<DemoAccount | null> {
  const password = randomBytes(PASSWORD_BYTES).toString('base64url')
  const passwordHash = await hashPassword(password)
  const prepared = await db.transaction().execute(async (tx) => {
    await lockFirstUser(tx)
    if ((await tx.selectFrom('projects').select('id').limit(1).executeTakeFirst()) !== undefined) return null
    const isNew = !(await hasUsers(tx))
    const admin = isNew ? await insertAccount(tx, { email: EMAIL, name: 'Demo', passwordHash }) : await findAdmin(tx)
    const createdEmails = isNew ? [admin.email] : []
    const testerIds: string[] = []
    for (const tester of testers) {
      const inserted = await insertUser(tx, { ...tester, passwordHash: null })
      if (inserted === undefined) continue
      testerIds.push(inserted.id)
      createdEmails.push(tester.email)
    }
    const account = { email: admin.email, password: isNew ? password : null }
    return { adminId: admin.id, testerIds, createdEmails, account }
  })
  if (prepared === null) return null
  try {
    await createDemo({ db, announcer }, SYSTEM_ACTOR, prepared)
  } catch (error) {
    await removeAccounts(db, prepared.createdEmails)
    throw error
  }
  return prepared.account
}

/** Removes what a server has left that was stopped while it created the demo. */
async function removeUnfinishedDemo(db: Database): Promise<void> {
  const projects = await db.selectFrom('projects').select('id').where('name', '=', UNFINISHED_DEMO_NAME).execute()
  for (const { id } of projects) await deleteProject(db, SYSTEM_ACTOR, id)
  if (projects.length > 0) await removeAccounts(db, [EMAIL, ...testers.map(({ email }) => email)])
}

/** Removes the accounts of the demo, unless they are members of another project. */
async function removeAccounts(db: Database, emails: readonly string[]): Promise<void> {
  if (emails.length === 0) return
  await db
    .deleteFrom('users')
    .where('email', 'in', emails)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('memberships').select('user_id').whereRef('memberships.user_id', '=', 'users.id'))),
    )
    .execute()
}

async function insertAccount(
  tx: Database,
  account: { email: string; name: string; passwordHash: string },
): Promise<{ id: string; email: string }> {
  const user = await insertUser(tx, { ...account, isEmailConfirmed: true, isInstanceAdmin: true })
  if (user === undefined) throw new Error('The account of the demo exists')
  await recordAudit(tx, SYSTEM_ACTOR, {
    action: 'user.create',
    subject: { kind: 'user', id: user.id },
    detail: { by: '--demo' },
  })
  return user
}

/** The first instance administrator, or the first user. */
const findAdmin = async (tx: Database): Promise<{ id: string; email: string }> =>
  await tx
    .selectFrom('users')
    .select(['id', 'email'])
    .orderBy('is_instance_admin', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()

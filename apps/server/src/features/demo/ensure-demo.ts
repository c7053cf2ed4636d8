import { randomBytes } from 'node:crypto'

import type { FastifyBaseLogger } from 'fastify'

import type { Deps } from '../../deps.ts'
import { type Database, getPool } from '../../platform/database/connect.ts'
import { runInRequestTransaction } from '../../platform/database/request-transaction.ts'
import { recordAudit, SYSTEM_ACTOR } from '../audit/record-audit.ts'
import { hashPassword } from '../auth/password.ts'
import { hasUsers, lockFirstUser } from '../auth/setup/setup.queries.ts'
import { insertUser } from '../auth/users/users.queries.ts'
import type { ChangeAnnouncer } from '../events/change-announcer.ts'
import { createDemo } from './create-demo.ts'
import { attachDemoFiles } from './demo-files.ts'

/** How to sign in to the demo. */
export interface DemoAccount {
  email: string
  /** Null for an account that existed. */
  password: string | null
}

/** No user asks for it. */
const LOAD_OWNER_ID = 'demo'
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
 * Creates the demo in a database without projects, with an account for it unless accounts exist. A server that is stopped
 * meanwhile leaves nothing.
 * @returns how to sign in; null when there is a project already
 */
export async function ensureDemo(
  db: Database,
  { log, ...deps }: Pick<Deps, 'fileStore' | 'fileLimitBytes' | 'allowsShares'> & { log: FastifyBaseLogger },
): Promise<DemoAccount | null> {
  const password = randomBytes(PASSWORD_BYTES).toString('base64url')
  const passwordHash = await hashPassword(password)
  const created = await runInRequestTransaction(getPool(db), LOAD_OWNER_ID, async () => {
    const prepared = await db.transaction().execute(async (tx) => await prepareTeam(tx, passwordHash))
    if (prepared === null) return null
    const { isNew, email, ...team } = prepared
    const { evidence } = await createDemo({ ...deps, db, announcer }, SYSTEM_ACTOR, team, LOAD_OWNER_ID)
    return { evidence, account: { email, password: isNew ? password : null } }
  })
  if (created === null) return null
  await attachDemoFiles({ ...deps, db, announcer }, created.evidence).catch((error: unknown) => {
    log.warn({ err: error }, 'the demo has no files')
  })
  return created.account
}

/** @returns the members of the demo; null when there is a project already */
async function prepareTeam(tx: Database, passwordHash: string) {
  // Servers that start at the same time wait here until one has created the demo.
  await lockFirstUser(tx)
  if ((await tx.selectFrom('projects').select('id').limit(1).executeTakeFirst()) !== undefined) return null
  const isNew = !(await hasUsers(tx))
  const admin = isNew ? await insertAccount(tx, { email: EMAIL, name: 'Demo', passwordHash }) : await findAdmin(tx)
  const testerIds: string[] = []
  for (const tester of testers) {
    const inserted = await insertUser(tx, { ...tester, passwordHash: null })
    if (inserted !== undefined) testerIds.push(inserted.id)
  }
  return { adminId: admin.id, testerIds, isNew, email: admin.email }
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

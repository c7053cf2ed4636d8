import type { NewToken } from '@caseward/contract/tokens'
import { hash } from '@node-rs/argon2'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import { insertSession } from '@caseward/server/features/auth/session/session.queries'
import { insertUser } from '@caseward/server/features/auth/users/users.queries'
import { insertToken } from '@caseward/server/features/tokens/tokens.queries'
import { type Browser, openBrowser } from './browser.ts'
import type { TestServer } from './test-server.ts'

/** The password of every user that can sign in with one. */
export const PASSWORD = 'correct horse battery'

/**
 * All users share one hash, which is compared in a hundredth of the time of those that the service makes. It compares each hash
 * with the cost that the hash names.
 */
const passwordHash = hash(PASSWORD, { memoryCost: 64, timeCost: 1, parallelism: 1 })
/** Names have four digits, so that a page looks the same whatever tests ran before in the process. */
let userCount = 1000

interface UserFields {
  email?: string
  /** What the user's token allows. */
  access?: 'read' | 'write'
}

/** Creates a user with a personal token, for requests to the API. The user has no password. */
export async function makeUser(
  { db }: Pick<TestServer, 'db'>,
  { email, access = 'write' }: UserFields = {},
): Promise<{ id: string; email: string; token: string }> {
  userCount += 1
  const id = uuidv7()
  const address = email ?? `person${userCount}@example.test`
  await db
    .insertInto('users')
    .values({ id, email: address, email_confirmed_at: new Date(), name: `Person ${userCount}` })
    .execute()
  const input = { name: 'test', access, expiresAt: null, createdBy: id }
  const { token } = await insertToken(db, { kind: 'personal', userId: id }, input)
  return { id, email: address, token }
}

/** Removes all users with everything that belongs to them, as before the setup. */
export async function removeUsers({ db }: Pick<TestServer, 'db'>): Promise<void> {
  await sql`truncate users, setup_links cascade`.execute(db)
}

/** Creates an instance administrator with a personal token. */
export async function makeInstanceAdmin({ db }: Pick<TestServer, 'db'>, fields: UserFields = {}) {
  const user = await makeUser({ db }, fields)
  await db.updateTable('users').set({ is_instance_admin: true }).where('id', '=', user.id).execute()
  return user
}

/** Creates a user with a personal token and a role in a project. */
export async function makeMember(server: TestServer, projectId: string, role: 'admin' | 'member' | 'viewer') {
  const user = await makeUser(server)
  await server.db.insertInto('memberships').values({ project_id: projectId, user_id: user.id, role }).execute()
  await server.db
    .updateTable('projects')
    .set((row) => ({ member_count: row('member_count', '+', 1) }))
    .where('id', '=', projectId)
    .execute()
  return user
}

/**
 * Creates a user that can sign in with {@link PASSWORD}; `password: null` leaves the account without a password. By default
 * the user has confirmed the email address.
 */
export async function makeUserWithPassword(
  { db }: Pick<TestServer, 'db'>,
  fields: { email?: string; password?: null; isEmailConfirmed?: boolean } = {},
): Promise<{ id: string; email: string }> {
  userCount += 1
  const email = fields.email ?? `Somebody${userCount}@example.test`
  const ownHash = fields.password === null ? null : await passwordHash
  const user = await insertUser(db, {
    email,
    isEmailConfirmed: fields.isEmailConfirmed ?? true,
    name: `Somebody ${userCount}`,
    passwordHash: ownHash,
  })
  if (user === undefined) throw new Error(`The email address ${email} is already in use`)
  return { id: user.id, email }
}

/** Creates a user, signs in, and returns both the user and the signed-in browser. */
export async function makeSignedInUser(
  server: TestServer,
  fields: { email?: string; isEmailConfirmed?: boolean } = {},
) {
  const user = await makeUserWithPassword(server, fields)
  return { ...user, browser: await openSignedInBrowser(server, user.email) }
}

/** Signs an existing user in with {@link PASSWORD}, in a browser of its own. */
export async function openSignedInBrowser(server: TestServer, email: string): Promise<Browser> {
  const browser = openBrowser(server)
  const { status } = await browser.api('POST', '/v1/session', { email, password: PASSWORD })
  if (status !== 201) throw new Error(`POST /v1/session returned ${status} for ${email}`)
  return browser
}

/** Starts a session of a user without a sign-in. Returns the cookie that a browser would have. */
export async function makeSession(
  { db }: Pick<TestServer, 'db'>,
  userId: string,
  userAgent?: string,
): Promise<{ name: string; value: string }> {
  return { name: 'caseward-session', value: await insertSession(db, userId, userAgent) }
}

/** Creates a personal token with the session of a browser. Unlike one that a token creates, it belongs to no other token. */
export async function makeTokenInBrowser(browser: Browser, name = 'laptop'): Promise<NewToken> {
  const { status, text } = await browser.api('POST', '/v1/tokens', { name })
  if (status !== 201) throw new Error(`POST /v1/tokens returned ${status}`)
  return (JSON.parse(text) as { data: NewToken }).data
}

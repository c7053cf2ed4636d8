import { hashPassword } from '@caseward/server/features/auth/password'
import { insertUser } from '@caseward/server/features/auth/users/users.queries'
import { type Browser, openBrowser } from './browser.ts'
import type { TestServer } from './server.ts'

export const PASSWORD = 'correct horse battery'

/** One hash for all: making one takes its time, on purpose. */
const passwordHash = hashPassword(PASSWORD)
let made = 0

/** Somebody who can sign in with {@link PASSWORD}. */
export async function makeUserWithPassword({ db }: TestServer, fields: { email?: string; password?: null } = {}) {
  made += 1
  const email = fields.email ?? `Somebody${made}@example.test`
  const hash = fields.password === null ? null : await passwordHash
  const user = await insertUser(db, { email, name: `Somebody ${made}`, passwordHash: hash })
  if (user === undefined) throw new Error(`${email} is taken`)
  return { id: user.id, email }
}

/** Somebody who is signed in, and their browser. */
export async function signedIn(server: TestServer, fields: { email?: string } = {}) {
  const person = await makeUserWithPassword(server, fields)
  return { ...person, browser: await signInAgain(server, person.email) }
}

export async function signInAgain(server: TestServer, email: string): Promise<Browser> {
  const browser = openBrowser(server)
  const { status } = await browser.api('POST', '/v1/session', { email, password: PASSWORD })
  if (status !== 201) throw new Error(`Signing in answered ${status}`)
  return browser
}

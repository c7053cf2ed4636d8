import type { Database } from '../../../platform/database/connect.ts'
import { StartError } from '../../../platform/start-error.ts'
import { findPasswordWeakness } from '../password-strength.ts'
import { deriveNameFromEmail } from '../users/user-name.ts'
import type { FirstAdminSettings } from './ensure-first-admin.ts'
import { hasUsers } from './setup.queries.ts'

/**
 * Checks `ADMIN_PASSWORD` before it becomes the password of the first user. Later it has no effect, so that a server whose
 * first user exists starts with any.
 * @throws {StartError} when the password is easy to guess
 */
export async function requireStrongAdminPassword(
  db: Database,
  { adminEmail: email, adminPassword: password, signIn }: Omit<FirstAdminSettings, 'adminToken'>,
): Promise<void> {
  if (signIn === 'single-sign-on' || email === null || password === null || (await hasUsers(db))) return
  const weakness = await findPasswordWeakness(password, { email, name: deriveNameFromEmail(email) })
  if (weakness !== null) throw new StartError(`ADMIN_PASSWORD ${weakness}.`)
}

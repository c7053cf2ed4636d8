import { createRecoveryLink, grantInstanceAdmin } from '../features/admin/recover-access.ts'
import { selectInstanceAdmins } from '../features/admin/instance-users.queries.ts'
import type { Database } from '../platform/database/connect.ts'

export const ADMIN_HELP = `Commands, for the person who operates the server. They work while the service runs and while it is stopped:
  admin list                    lists the instance administrators
  admin reset-password <email>  prints a link to set a new password; it works once, for one hour
  admin grant <email>           makes a user an instance administrator`

export type AdminCommand = { name: 'list' } | { name: 'reset-password' | 'grant'; email: string }

/** Parses the arguments of a command; returns null when they are wrong. */
export function parseAdminCommand([noun, verb, email, ...others]: readonly string[]): AdminCommand | null {
  if (noun !== 'admin' || others.length > 0) return null
  if (verb === 'list' && email === undefined) return { name: verb }
  const isEmail = email?.includes('@') ?? false
  return (verb === 'reset-password' || verb === 'grant') && email !== undefined && isEmail
    ? { name: verb, email }
    : null
}

/**
 * Runs a command and returns what to print.
 * @throws {RecoveryError} for an unknown or disabled user
 */
export async function runAdminCommand(
  db: Database,
  command: AdminCommand,
  { publicUrl, port }: { publicUrl: string | null; port: number },
): Promise<string> {
  switch (command.name) {
    case 'list':
      return await listAdmins(db)
    case 'grant': {
      const isNew = await grantInstanceAdmin(db, command.email)
      return isNew
        ? `${command.email} is now an instance administrator.`
        : `${command.email} is an instance administrator already.`
    }
    case 'reset-password': {
      const secret = await createRecoveryLink(db, command.email)
      const url = publicUrl ?? `http://localhost:${port}`
      return `Open this link within one hour to set a new password. It works once:\n${url}/reset/${secret}`
    }
    default:
      return command satisfies never
  }
}

async function listAdmins(db: Database): Promise<string> {
  const admins = await selectInstanceAdmins(db)
  if (admins.length === 0) {
    return 'There are no instance administrators. To make a user one, run: admin grant <email>'
  }
  return admins
    .map(({ email, name, disabled_at: disabledAt, last_sign_in_at: lastSignInAt }) => {
      const signIn = lastSignInAt === null ? 'has not signed in' : `last signed in ${formatTime(lastSignInAt)}`
      const details = disabledAt === null ? signIn : `disabled ${formatTime(disabledAt)}`
      return `${toPrintable(email)}  ${toPrintable(name)}  (${details})`
    })
    .join('\n')
}

const formatTime = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** Users choose names: control characters in one could change what the terminal shows. */
const toPrintable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?')

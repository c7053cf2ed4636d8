import type { Config } from '../config.ts'
import {
  createRecoveryLink,
  createSignInLink,
  grantInstanceAdmin,
  RecoveryError,
  resetSecondFactors,
  unlinkAccount,
} from '../features/admin/recover-access.ts'
import { selectInstanceAdmins } from '../features/admin/instance-users.queries.ts'
import { describeRetention } from '../features/retention/retention-job.ts'
import type { Database } from '../platform/database/connect.ts'
import { adoptFiles } from './adopt-files.ts'

export const ADMIN_HELP = `Commands, for the person who operates the server. They work while the service runs and while it is stopped:
  admin list                    lists the instance administrators
  admin reset-password <email>  prints a link to set a new password; it works once, for one hour
  admin sign-in-link <email>    prints a link to sign in without a password; it works once, for 15 minutes
  admin unlink <email>          removes the links of an account with the sign-in provider
  admin reset-second-factors <email>  removes all second factors of a user who has lost them
  admin grant <email>           makes a user an instance administrator
  admin retention --dry-run     prints what RUN_RETENTION_DAYS and TEST_RETENTION_DAYS will delete
  admin adopt-files             says what using FILES_DIR or S3_BUCKET_URL for this database would do; changes nothing
  admin adopt-files --yes       uses it, although it was that of another database or is empty`

const ACCOUNT_COMMANDS = ['reset-password', 'sign-in-link', 'unlink', 'reset-second-factors', 'grant'] as const
type AccountCommand = (typeof ACCOUNT_COMMANDS)[number]

export type AdminCommand =
  | { name: 'list' | 'retention' }
  | { name: 'adopt-files'; isConfirmed: boolean }
  | { name: AccountCommand; email: string }

/** Parses the arguments of a command; returns null when they are wrong. */
export function parseAdminCommand([noun, verb, email, ...others]: readonly string[]): AdminCommand | null {
  if (noun !== 'admin' || others.length > 0) return null
  if (verb === 'list' && email === undefined) return { name: verb }
  if (verb === 'retention' && email === '--dry-run') return { name: verb }
  if (verb === 'adopt-files' && (email === undefined || email === '--yes')) {
    return { name: verb, isConfirmed: email === '--yes' }
  }
  const name = ACCOUNT_COMMANDS.find((known) => known === verb)
  return name !== undefined && email?.includes('@') === true ? { name, email } : null
}

/**
 * Runs a command and returns what to print.
 * @throws {RecoveryError} for an unknown or disabled user
 */
export async function runAdminCommand(db: Database, command: AdminCommand, config: Config): Promise<string> {
  const { publicUrl, port, signIn } = config
  const url = publicUrl ?? `http://localhost:${port}`
  switch (command.name) {
    case 'list':
      return await listAdmins(db)
    case 'retention':
      return await describeRetention(db, config)
    case 'adopt-files':
      return await adoptFiles(db, config, command.isConfirmed)
    case 'grant': {
      const isNew = await grantInstanceAdmin(db, command.email)
      return isNew
        ? `${command.email} is now an instance administrator.`
        : `${command.email} is an instance administrator already.`
    }
    case 'reset-password': {
      if (signIn === 'single-sign-on') throw noPasswordsError()
      const secret = await createRecoveryLink(db, command.email)
      return `Open this link within one hour to set a new password. It works once:\n${url}/reset/${secret}`
    }
    case 'sign-in-link': {
      const secret = await createSignInLink(db, command.email)
      return `Open this link within 15 minutes to sign in for 12 hours. It works once:\n${url}/sign-in/link/${secret}`
    }
    case 'reset-second-factors': {
      const count = await resetSecondFactors(db, command.email)
      return count === 0
        ? `${command.email} has no second factor.`
        : `${command.email} can now sign in without a second factor.`
    }
    case 'unlink': {
      const issuers = await unlinkAccount(db, command.email)
      if (issuers.length === 0) return `${command.email} is not linked with a sign-in provider.`
      return `${command.email} is no longer linked with ${issuers.join(', ')}. The next single sign-on with this email address links it again.`
    }
    default:
      return command satisfies never
  }
}

const noPasswordsError = () =>
  new RecoveryError(
    'This server accepts no passwords (SIGN_IN is single-sign-on). To sign in without the sign-in provider, run: admin sign-in-link <email>',
  )

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

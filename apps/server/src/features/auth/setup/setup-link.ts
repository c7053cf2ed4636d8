import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'

import type { Database } from '../../../platform/database/connect.ts'
import type { Deps } from '../../../deps.ts'
import { goneProblem, type Problem } from '../../../platform/http/problems.ts'
import { generateSecret } from '../session/session.queries.ts'
import { startSession } from '../session/sign-in.ts'
import { hashSecret } from '../../../access/secret.ts'
import { hasUsers, lockFirstUser } from './first-admin.ts'
import { hashPassword } from '../password.ts'
import { insertUser, type UserRow } from '../users/users.queries.ts'

/** A link lies in some terminal's history or log. It opens nothing after this long; the next start gives another. */
const VALID_DAYS = 7

const isValid = sql<boolean>`created_at > now() - make_interval(days => ${sql.lit(VALID_DAYS)})`

/**
 * Makes a link by which the first user sets the service up, as long as there is none; null afterwards. Each server
 * makes one at each start, and all of them are good until one was used.
 */
export async function createSetupLink(db: Database): Promise<string | null> {
  return await db.transaction().execute(async (tx) => {
    if (!(await lockFirstUser(tx))) return null
    const secret = generateSecret()
    await tx
      .insertInto('setup_links')
      .values({ secret_hash: hashSecret(secret) })
      .execute()
    await tx
      .deleteFrom('setup_links')
      .where(sql<boolean>`not (${isValid})`)
      .execute()
    return secret
  })
}

/**
 * Until when a link works.
 * @throws {Problem} 410 when somebody has set up, or the link is too old or never was
 */
export async function requireSetupLink(db: Database, secret: string): Promise<{ expires_at: Date }> {
  const link = await db
    .selectFrom('setup_links')
    .select(sql<Date>`created_at + make_interval(days => ${sql.lit(VALID_DAYS)})`.as('expires_at'))
    .where('secret_hash', '=', hashSecret(secret))
    .where(isValid)
    .executeTakeFirst()
  if (link === undefined) throw await setupLinkEndedProblem(db)
  return link
}

/**
 * Makes the first user, and signs in. All links end with it, also those of other servers.
 * @throws {Problem} 410 as for {@link requireSetupLink}
 */
export async function completeSetup(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, name, email, password }: { secret: string; name: string; email: string; password: string },
): Promise<UserRow> {
  await requireSetupLink(deps.db, secret)
  const passwordHash = await hashPassword(password)
  return await startSession(deps, request, reply, async (tx) => {
    const isFirst = await lockFirstUser(tx)
    await requireSetupLink(tx, secret)
    await tx.deleteFrom('setup_links').execute()
    const user = isFirst ? await insertUser(tx, { email, name, passwordHash }) : undefined
    if (user === undefined) throw setupDoneProblem()
    return user
  })
}

/** Why a link is of no use: what to do about it depends on whether there is somebody by now. */
async function setupLinkEndedProblem(db: Database): Promise<Problem> {
  return (await hasUsers(db))
    ? setupDoneProblem()
    : goneProblem(
        'set_up_link_ended',
        'This link is older than seven days, or never was. Restart the server: it prints a new one.',
      )
}

const setupDoneProblem = () =>
  goneProblem('set_up_done', 'Somebody has set Caseward up already. If it was not you, ask them to invite you.')

import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { goneProblem, invalidFieldProblem, type Problem } from '../../../platform/http/problems.ts'
import { recordAudit, toUserActor } from '../../audit/record-audit.ts'
import { hashPassword } from '../password.ts'
import { requireStrongPassword } from '../password-strength.ts'
import { setSignInCookies, startSession } from '../session/browser-session.ts'
import { arePasswordsAllowed, requirePasswordsAllowed } from '../session/require-passwords-allowed.ts'
import { LINK_SESSION, PASSWORD_SESSION } from '../session/session.queries.ts'
import { insertUser, type UserRow } from '../users/users.queries.ts'
import { deleteSetupLinks, findSetupLink, hasUsers, lockFirstUser } from './setup.queries.ts'

/** @throws {Problem} 410 when the first account exists, or when the link has expired or is unknown */
export async function requireSetupLink(db: Database, secret: string): Promise<{ expires_at: Date }> {
  const link = await findSetupLink(db, secret)
  if (link === undefined) throw await toSetupLinkProblem(db)
  return link
}

interface NewFirstUser {
  /** Of the setup link. */
  secret: string
  name: string
  email: string
  password?: string | undefined
}

/**
 * Creates the first account and signs in. All setup links end, also those of other servers.
 * @throws {Problem} 410 as for {@link requireSetupLink}; 400 `weak_password`; 403 `single_sign_on_required`
 */
export async function completeSetup(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, name, email, password }: NewFirstUser,
): Promise<UserRow> {
  await requireSetupLink(deps.db, secret)
  const passwordHash = await hashFirstPassword(deps, password, { email, name })
  const start = passwordHash === null ? LINK_SESSION : PASSWORD_SESSION
  const { user, secrets } = await deps.db.transaction().execute(async (tx) => {
    await lockFirstUser(tx)
    // Checked again under the lock: another request may have completed the setup.
    await requireSetupLink(tx, secret)
    if (await hasUsers(tx)) throw setupDoneProblem()
    await deleteSetupLinks(tx)
    const fields = { email, isEmailConfirmed: true, name, passwordHash, isInstanceAdmin: true }
    const newUser = await insertUser(tx, fields)
    if (newUser === undefined) throw setupDoneProblem()
    const subject = { kind: 'user', id: newUser.id } as const
    await recordAudit(tx, toUserActor(newUser.id, request), { action: 'user.create', subject, detail: { by: 'setup' } })
    return { user: newUser, secrets: await startSession(tx, deps.cookies, request, newUser.id, { start }) }
  })
  deps.principalCache.clear()
  setSignInCookies(deps, reply, secrets)
  return user
}

/** Returns null where only single sign-on is accepted: the first user then has no password. */
async function hashFirstPassword(
  deps: Deps,
  password: string | undefined,
  user: { email: string; name: string },
): Promise<string | null> {
  if (password === undefined) {
    if (arePasswordsAllowed(deps)) throw invalidFieldProblem('/password', 'is required')
    return null
  }
  requirePasswordsAllowed(deps)
  await requireStrongPassword(password, user)
  return await hashPassword(password)
}

/** The reason why a link is not valid, which determines what to do next. */
async function toSetupLinkProblem(db: Database): Promise<Problem> {
  return (await hasUsers(db)) ? setupDoneProblem() : setupLinkEndedProblem()
}

const setupDoneProblem = () =>
  goneProblem('setup_done', 'Caseward is already set up. Sign in, or ask a project admin to invite you.')

const setupLinkEndedProblem = () =>
  goneProblem(
    'setup_link_ended',
    'This setup link is invalid or older than seven days. Restart the server to print a new link.',
  )

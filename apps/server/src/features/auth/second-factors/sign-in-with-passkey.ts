import type { SignInWithPasskeyBody } from '@caseward/contract/passkeys'
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'
import { Problem } from '../../../platform/http/problems.ts'
import { toUserActor } from '../../audit/record-audit.ts'
import { setSignInCookies, startSession } from '../session/browser-session.ts'
import { reportDisabled, reportRejection } from '../session/record-rejection.ts'
import { requirePasswordsAllowed } from '../session/require-passwords-allowed.ts'
import { PASSKEY_SESSION } from '../session/session.queries.ts'
import { findUser, lockUser, type UserRow } from '../users/users.queries.ts'
import * as queries from './passkeys.queries.ts'
import { getRelyingParty, importWebAuthn, toUserHandle } from './relying-party.ts'
import { takeChallenge, verifyPasskey } from './use-passkey.ts'

/**
 * Creates the options with which a browser signs in with any passkey that it has for this service.
 * @throws {Problem} 403 `single_sign_on_required`
 */
export async function startSignInWithPasskey(deps: Deps) {
  requirePasswordsAllowed(deps)
  const { generateAuthenticationOptions } = await importWebAuthn()
  const options = await generateAuthenticationOptions({
    rpID: getRelyingParty(deps).id,
    userVerification: 'required',
  })
  const expiresAt = await queries.insertChallenge(deps.db, options.challenge, queries.SIGN_IN_PURPOSE)
  return { options, expiresAt }
}

/**
 * Signs in with a passkey alone. It replaces the password and the second factor, because the authenticator has verified the
 * user: so there are two factors, the device and what unlocks it. Wrong answers do not count against an account, because a
 * signature cannot be guessed.
 * @throws {Problem} 401, the same for every wrong answer; 403 `account_disabled`, `single_sign_on_required`
 */
export async function signInWithPasskey(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { passkey }: SignInWithPasskeyBody,
): Promise<UserRow> {
  requirePasswordsAllowed(deps)
  const challenge = await takeChallenge(deps, passkey.response, queries.SIGN_IN_PURPOSE)
  const userId = challenge === null ? undefined : await findOwner(deps, passkey)
  const reject = () => {
    reportRejection(deps, request, { userId: userId ?? null, method: 'passkey', purpose: 'sign-in' })
    return wrongPasskeyProblem()
  }
  if (challenge === null || userId === undefined) throw reject()
  const secrets = await reportDisabled(deps, request, { userId, method: 'passkey' }, () =>
    deps.db.transaction().execute(async (tx) => {
      await lockUser(tx, userId)
      const isRight = await verifyPasskey(tx, deps, passkey, {
        userId,
        challenge,
        actor: toUserActor(userId, request),
        log: request.log,
        requiresUserVerification: true,
      })
      if (!isRight) return null
      return await startSession(tx, deps.cookies, request, userId, { start: PASSKEY_SESSION, secondFactor: 'passkey' })
    }),
  )
  if (secrets === null) throw reject()
  deps.principalCache.clear()
  setSignInCookies(deps, reply, secrets)
  const user = await findUser(deps.db, userId)
  if (user === undefined) throw wrongPasskeyProblem()
  return user
}

/** Finds the user that a passkey belongs to, unless the authenticator names another one. */
async function findOwner(
  { db }: Deps,
  { id, response: { userHandle } }: SignInWithPasskeyBody['passkey'],
): Promise<string | undefined> {
  const userId = await queries.findPasskeyUser(db, Buffer.from(id, 'base64url'))
  if (userId === undefined) return undefined
  return Buffer.from(userHandle, 'base64url').equals(toUserHandle(userId)) ? userId : undefined
}

const wrongPasskeyProblem = () =>
  new Problem(
    401,
    'wrong_passkey',
    'This passkey was not accepted: no account of this server has it, your device did not verify you, or it took too long. Try again, or sign in with your password.',
    { headers: { 'www-authenticate': 'Bearer' } },
  )

import type { ActivatePasskeyBody } from '@caseward/contract/passkeys'
import type { AddedFactor } from '@caseward/contract/second-factors'
import type { FastifyRequest } from 'fastify'

import { requireUserPrincipal } from '../../../access/request.ts'
import type { Deps } from '../../../deps.ts'
import { invalidFieldProblem, unauthenticatedProblem } from '../../../platform/http/problems.ts'
import { findUser, lockUser } from '../users/users.queries.ts'
import { completeNewFactor, requireRoomForFactor } from './change-second-factors.ts'
import * as queries from './passkeys.queries.ts'
import { getRelyingParty, importWebAuthn, RELYING_PARTY_NAME, toUserHandle } from './relying-party.ts'
import { takeChallenge } from './use-passkey.ts'

type Credential = ActivatePasskeyBody['credential']

/**
 * Creates the options with which a browser creates a passkey for the session of a request.
 * @throws {Problem} 422 `second_factor_limit`
 */
export async function setUpPasskey(deps: Deps, request: FastifyRequest) {
  const { db } = deps
  const { userId, key: sessionId } = requireUserPrincipal(request)
  const user = await findUser(db, userId)
  if (user === undefined) throw unauthenticatedProblem('Your account was deleted.')
  await requireRoomForFactor(db, userId)
  const passkeys = await queries.selectPasskeys(db, userId)
  const { generateRegistrationOptions } = await importWebAuthn()
  const options = await generateRegistrationOptions({
    rpName: RELYING_PARTY_NAME,
    rpID: getRelyingParty(deps).id,
    userName: user.email,
    userDisplayName: user.name,
    userID: toUserHandle(userId),
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      transports,
    })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  const purpose = toPurpose(userId, sessionId)
  return { options, expiresAt: await queries.insertChallenge(db, options.challenge, purpose) }
}

const toPurpose = (userId: string, sessionId: string): queries.ChallengePurpose => ({
  purpose: 'registration',
  userId,
  boundTo: sessionId,
})

/**
 * Adds a passkey to the account of a session.
 * @throws {Problem} 400 `wrong_second_factor`; 422 `second_factor_limit`
 */
export async function activatePasskey(
  deps: Deps,
  request: FastifyRequest,
  { name = 'Passkey', credential }: ActivatePasskeyBody,
): Promise<AddedFactor> {
  const { userId, key: sessionId } = requireUserPrincipal(request)
  const challenge = await takeChallenge(deps, credential.response, toPurpose(userId, sessionId))
  if (challenge === null) throw wrongPasskeyProblem()
  const passkey = await verifyCreation(deps, credential, challenge)
  if (passkey === null) throw wrongPasskeyProblem()
  return await deps.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    await requireRoomForFactor(tx, userId)
    const row = await queries.insertPasskey(tx, userId, { ...passkey, name })
    if (row === undefined) throw knownPasskeyProblem()
    return await completeNewFactor(tx, request, row)
  })
}

/** What the database stores of a passkey. WebAuthn allows ids of up to 1,023 bytes; keys have a few hundred at most. */
const MAX_CREDENTIAL_ID_BYTES = 1023
const MAX_PUBLIC_KEY_BYTES = 4096

/** Returns null for a passkey that was not created for this service and challenge, or is too large. */
async function verifyCreation(
  deps: Deps,
  { id, response: { transports = [], ...response } }: Credential,
  challenge: string,
): Promise<Omit<queries.Passkey, 'id' | 'name'> | null> {
  const { id: expectedRPID, origin: expectedOrigin } = getRelyingParty(deps)
  const answer = { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response } as const
  const { verifyRegistrationResponse } = await importWebAuthn()
  // The library throws for every answer that it does not accept.
  const { registrationInfo } = await verifyRegistrationResponse({
    response: answer,
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: false,
  }).catch(() => ({ registrationInfo: undefined }))
  if (registrationInfo === undefined) return null
  const { credential } = registrationInfo
  const credentialId = Buffer.from(credential.id, 'base64url')
  const publicKey = Buffer.from(credential.publicKey)
  if (credentialId.length === 0 || credentialId.length > MAX_CREDENTIAL_ID_BYTES) return null
  if (publicKey.length > MAX_PUBLIC_KEY_BYTES) return null
  return {
    credentialId,
    publicKey,
    signCount: credential.counter,
    transports,
  }
}

const wrongPasskeyProblem = () =>
  invalidFieldProblem(
    '/credential',
    'is not what was asked for, or came too late: add the passkey again',
    'wrong_second_factor',
  )

const knownPasskeyProblem = () =>
  invalidFieldProblem('/credential', 'belongs to an account already: use another passkey', 'wrong_second_factor')

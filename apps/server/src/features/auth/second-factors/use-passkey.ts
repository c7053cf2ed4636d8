import type { PasskeyAssertion } from '@caseward/contract/second-factor-proofs'
import type { FastifyBaseLogger } from 'fastify'

import type { Deps } from '../../../deps.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { runOutside } from '../../../platform/database/request-transaction.ts'
import { unprocessableProblem } from '../../../platform/http/problems.ts'
import type { AuditActor } from '../../audit/record-audit.ts'
import * as queries from './passkeys.queries.ts'
import { recordCopiedPasskey } from './record-copied-passkey.ts'
import { getRelyingParty, importWebAuthn, readChallenge } from './relying-party.ts'

/** Who proves a second factor, and for what. */
export interface ProofContext {
  purpose: queries.ProofPurpose
  /** The challenge that was used up for the answer of a passkey; null without one. */
  challenge: string | null
  actor: AuditActor
  log: FastifyBaseLogger
}

/**
 * Creates the options with which a browser proves a passkey.
 * @throws {Problem} 422 `no_passkey`
 */
export async function startPasskeyProof(deps: Deps, purpose: queries.ProofPurpose) {
  const passkeys = await queries.selectPasskeys(deps.db, purpose.userId)
  if (passkeys.length === 0) throw noPasskeyProblem()
  const { generateAuthenticationOptions } = await importWebAuthn()
  const options = await generateAuthenticationOptions({
    rpID: getRelyingParty(deps).id,
    allowCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      transports,
    })),
    userVerification: purpose.requiresUserVerification ? 'required' : 'preferred',
  })
  return { options, expiresAt: await queries.insertChallenge(deps.db, options.challenge, purpose) }
}

/**
 * Uses up the challenge that an authenticator has answered, also when the request is then refused. Call it before the
 * transaction.
 * @returns null when the challenge is unknown or of another purpose, was used or has expired
 */
export async function takeChallenge(
  { db }: Pick<Deps, 'db'>,
  { clientDataJSON }: { clientDataJSON: string },
  purpose: queries.ChallengePurpose,
): Promise<string | null> {
  const challenge = readChallenge(clientDataJSON)
  if (challenge === null) return null
  return (await runOutside(() => queries.useChallenge(db, challenge, purpose))) ? challenge : null
}

/**
 * Checks what an authenticator has answered to {@link startPasskeyProof}.
 * @param tx transaction that has locked the user
 * @returns false for a wrong answer; the caller commits nevertheless
 */
export async function usePasskey(
  tx: Database,
  deps: Pick<Deps, 'db' | 'getPublicUrl'>,
  assertion: PasskeyAssertion,
  { purpose: { userId, requiresUserVerification }, challenge, ...context }: ProofContext,
): Promise<boolean> {
  if (challenge === null) return false
  return await verifyPasskey(tx, deps, assertion, { ...context, userId, challenge, requiresUserVerification })
}

interface VerificationContext extends Omit<ProofContext, 'purpose'> {
  userId: string
  challenge: string
  requiresUserVerification: boolean
}

/**
 * Checks what an authenticator has answered to a challenge, and records the use of the passkey.
 * @param tx transaction that has locked the user
 * @returns false for a wrong answer; the caller commits nevertheless
 */
export async function verifyPasskey(
  tx: Database,
  deps: Pick<Deps, 'db' | 'getPublicUrl'>,
  { id, response }: PasskeyAssertion,
  context: VerificationContext,
): Promise<boolean> {
  const passkeys = await queries.selectPasskeys(tx, context.userId)
  const passkey = passkeys.find(({ credentialId }) => credentialId.toString('base64url') === id)
  if (passkey === undefined) return false
  const { id: expectedRPID, origin: expectedOrigin } = getRelyingParty(deps)
  const { verifyAuthenticationResponse } = await importWebAuthn()
  // The library throws for every answer that it does not accept. It compares no counter with 0: see below.
  const result = await verifyAuthenticationResponse({
    response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
    expectedChallenge: context.challenge,
    expectedOrigin,
    expectedRPID,
    credential: { id, publicKey: Uint8Array.from(passkey.publicKey), counter: 0 },
    requireUserVerification: context.requiresUserVerification,
  }).catch(() => null)
  if (result?.verified !== true) return false
  const { newCounter } = result.authenticationInfo
  if (!isCounterPlausible(passkey.signCount, newCounter)) {
    const { actor, log, userId } = context
    log.warn(
      { userId, factorId: passkey.id },
      'A passkey was refused: its sign counter went back, so it may have been copied',
    )
    await recordCopiedPasskey(tx, deps.db, actor, { userId, name: passkey.name })
    return false
  }
  await queries.recordPasskeyUse(tx, passkey.id, newCounter)
  return true
}

/** An authenticator that counts signatures never goes back. One that does not count always says 0. */
const isCounterPlausible = (last: number, next: number): boolean => next > last || (next === 0 && last === 0)

const noPasskeyProblem = () =>
  unprocessableProblem('no_passkey', 'This account has no passkey. Use another second factor.')

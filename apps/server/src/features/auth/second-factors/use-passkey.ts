import type { PasskeyAssertion } from '@caseward/contract/second-factor-proofs'
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { FastifyBaseLogger } from 'fastify'

import type { Deps } from '../../../deps.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { unprocessableProblem } from '../../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../../audit/record-audit.ts'
import * as queries from './passkeys.queries.ts'
import { getRelyingParty, readChallenge } from './relying-party.ts'

/** Who proves a second factor, and for what. */
export interface ProofContext {
  purpose: queries.ProofPurpose
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
  const options = await generateAuthenticationOptions({
    rpID: getRelyingParty(deps).id,
    allowCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      transports,
    })),
    userVerification: 'preferred',
  })
  return { options, expiresAt: await queries.insertChallenge(deps.db, options.challenge, purpose) }
}

/**
 * Checks what an authenticator has answered to {@link startPasskeyProof}, and uses the challenge up.
 * @param tx transaction that has locked the user
 * @returns false for a wrong answer; the caller commits nevertheless
 */
export async function usePasskey(
  tx: Database,
  deps: Pick<Deps, 'getPublicUrl'>,
  assertion: PasskeyAssertion,
  context: ProofContext,
): Promise<boolean> {
  const { purpose } = context
  const challenge = readChallenge(assertion.response.clientDataJSON)
  if (challenge === null || !(await queries.useChallenge(tx, challenge, purpose))) return false
  return await verifyPasskey(tx, deps, assertion, {
    ...context,
    userId: purpose.userId,
    challenge,
    requiresUserVerification: false,
  })
}

interface VerificationContext extends Omit<ProofContext, 'purpose'> {
  userId: string
  /** The challenge that was used up for this answer. */
  challenge: string
  /** Whether the authenticator must have checked a fingerprint, a face or a PIN. */
  requiresUserVerification: boolean
}

/**
 * Checks what an authenticator has answered to a challenge, and records the use of the passkey.
 * @param tx transaction that has locked the user
 * @returns false for a wrong answer; the caller commits nevertheless
 */
export async function verifyPasskey(
  tx: Database,
  deps: Pick<Deps, 'getPublicUrl'>,
  { id, response }: PasskeyAssertion,
  context: VerificationContext,
): Promise<boolean> {
  const passkeys = await queries.selectPasskeys(tx, context.userId)
  const passkey = passkeys.find(({ credentialId }) => credentialId.toString('base64url') === id)
  if (passkey === undefined) return false
  const { id: expectedRPID, origin: expectedOrigin } = getRelyingParty(deps)
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
    await recordCopy(tx, context, passkey)
    return false
  }
  await queries.recordPasskeyUse(tx, passkey.id, newCounter)
  return true
}

/** An authenticator that counts signatures never goes back. One that does not count always says 0. */
const isCounterPlausible = (last: number, next: number): boolean => next > last || (next === 0 && last === 0)

/** A counter that goes back means that there are two copies of the private key. */
async function recordCopy(
  tx: Database,
  { userId, actor, log }: VerificationContext,
  passkey: queries.Passkey,
): Promise<void> {
  log.warn(
    { userId, factorId: passkey.id },
    'A passkey was refused: its sign counter went back, so it may have been copied',
  )
  await recordAudit(tx, actor, {
    action: 'second_factor.reject',
    subject: { kind: 'user', id: userId },
    detail: { method: 'passkey', name: passkey.name, reason: 'sign_count_decreased' },
  })
}

const noPasskeyProblem = () =>
  unprocessableProblem('no_passkey', 'This account has no passkey. Use another second factor.')

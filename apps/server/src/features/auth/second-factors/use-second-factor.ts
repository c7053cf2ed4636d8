import type { PasskeyAssertion, SecondFactorMethod } from '@caseward/contract/second-factor-proofs'

import type { Deps } from '../../../deps.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { invalidFieldProblem, type Problem, unprocessableProblem } from '../../../platform/http/problems.ts'
import { deleteRecoveryCode, selectProofKinds, selectTotpFactors, useTotpStep } from './second-factors.queries.ts'
import { findTimeStep } from './totp.ts'
import type { ProofPurpose } from './passkeys.queries.ts'
import { type ProofContext, takeChallenge, usePasskey } from './use-passkey.ts'

/** What a user gives to prove a second factor. */
export type SecondFactorProof =
  | { method: 'totp'; code: string }
  | { method: 'recovery_code'; code: string }
  | { method: 'passkey'; assertion: PasskeyAssertion }

interface ProofFields {
  totp_code?: string | undefined
  recovery_code?: string | undefined
  passkey?: PasskeyAssertion | undefined
}

/** @throws {Problem} 400 unless exactly one proof is given */
export function parseProof({
  totp_code: totpCode,
  recovery_code: recoveryCode,
  passkey,
}: ProofFields): SecondFactorProof {
  const proofs: SecondFactorProof[] = [
    ...(totpCode === undefined ? [] : [{ method: 'totp', code: totpCode } as const]),
    ...(recoveryCode === undefined ? [] : [{ method: 'recovery_code', code: recoveryCode } as const]),
    ...(passkey === undefined ? [] : [{ method: 'passkey', assertion: passkey } as const]),
  ]
  const [proof, ...others] = proofs
  if (proof === undefined || others.length > 0) {
    throw invalidFieldProblem('', 'must have exactly one of the fields totp_code, passkey and recovery_code')
  }
  return proof
}

/** Uses up the challenge of a passkey before the transaction of {@link useSecondFactor}; null for other proofs. */
export const takeProofChallenge = async (
  deps: Pick<Deps, 'db'>,
  proof: SecondFactorProof,
  purpose: ProofPurpose,
): Promise<string | null> =>
  proof.method === 'passkey' ? await takeChallenge(deps, proof.assertion.response, purpose) : null

/**
 * Checks a proof and uses it up, so that of two requests with the same code only one succeeds.
 * @param tx transaction that has locked the user
 * @returns false when the proof is wrong or was used before
 * @throws {Problem} 422 `totp_unreadable`
 */
export async function useSecondFactor(
  tx: Database,
  deps: Pick<Deps, 'db' | 'secretBox' | 'getPublicUrl'>,
  proof: SecondFactorProof,
  context: ProofContext,
): Promise<boolean> {
  const { userId } = context.purpose
  switch (proof.method) {
    case 'totp':
      return await useTotpCode(tx, deps, userId, proof.code)
    case 'recovery_code':
      return await deleteRecoveryCode(tx, userId, proof.code)
    case 'passkey':
      return await usePasskey(tx, deps, proof.assertion, context)
    default:
      return proof satisfies never
  }
}

async function useTotpCode(
  tx: Database,
  { secretBox }: Pick<Deps, 'secretBox'>,
  userId: string,
  code: string,
): Promise<boolean> {
  const factors = await selectTotpFactors(tx, userId)
  let isReadable = factors.length === 0
  for (const { id, totp_secret: encrypted, totp_last_step: lastStep } of factors) {
    const secret = await secretBox.decrypt(encrypted, id)
    if (secret === null) continue
    isReadable = true
    const timeStep = findTimeStep(secret, code.replaceAll(/\s/g, ''), lastStep)
    if (timeStep !== null && (await useTotpStep(tx, id, timeStep))) return true
  }
  if (!isReadable) throw totpUnreadableProblem()
  return false
}

/** Lists how a user can prove a second factor. */
export async function listSecondFactorMethods(db: Database, userId: string): Promise<SecondFactorMethod[]> {
  const { hasTotp, hasPasskey, recoveryCodeCount } = await selectProofKinds(db, userId)
  return [
    ...(hasTotp ? (['totp'] as const) : []),
    ...(hasPasskey ? (['passkey'] as const) : []),
    ...(recoveryCodeCount > 0 ? (['recovery_code'] as const) : []),
  ]
}

const fieldNames = { totp: 'totp_code', passkey: 'passkey', recovery_code: 'recovery_code' } as const

const messages = {
  totp: 'is wrong or was used already: enter the code that your app shows next',
  passkey: 'was not accepted: try again with a passkey of this account',
  recovery_code: 'is wrong or was used already',
} as const

/** 400 for a proof that {@link useSecondFactor} rejects. */
export const wrongProofProblem = ({ method }: SecondFactorProof): Problem =>
  invalidFieldProblem(`/${fieldNames[method]}`, messages[method], 'wrong_second_factor')

/** The key is another one than when the app was set up, for example after a restore without it. */
const totpUnreadableProblem = () =>
  unprocessableProblem(
    'totp_unreadable',
    'The server cannot check codes of your authenticator app, because its SECRET_KEY has changed. Use a passkey or a recovery code, or ask an administrator to remove your second factors.',
  )

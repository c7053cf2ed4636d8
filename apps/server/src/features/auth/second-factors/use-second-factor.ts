import type { SecondFactorMethod } from '@caseward/contract/second-factor-proofs'

import type { Deps } from '../../../deps.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { invalidFieldProblem, type Problem, unprocessableProblem } from '../../../platform/http/problems.ts'
import { deleteRecoveryCode, selectProofKinds, selectTotpFactors, useTotpStep } from './second-factors.queries.ts'
import { findTimeStep } from './totp.ts'

/** What a user gives to prove a second factor. */
export type SecondFactorProof = { method: 'totp'; code: string } | { method: 'recovery_code'; code: string }

interface ProofFields {
  totp_code?: string | undefined
  recovery_code?: string | undefined
}

/** @throws {Problem} 400 unless exactly one proof is given */
export function parseProof({ totp_code: totpCode, recovery_code: recoveryCode }: ProofFields): SecondFactorProof {
  const proofs: SecondFactorProof[] = [
    ...(totpCode === undefined ? [] : [{ method: 'totp', code: totpCode } as const]),
    ...(recoveryCode === undefined ? [] : [{ method: 'recovery_code', code: recoveryCode } as const]),
  ]
  const [proof, ...others] = proofs
  if (proof === undefined || others.length > 0) {
    throw invalidFieldProblem('', 'must have exactly one of the fields totp_code and recovery_code')
  }
  return proof
}

/**
 * Checks a proof and uses it up, so that of two requests with the same code only one succeeds.
 * @param tx transaction that has locked the user
 * @returns false when the proof is wrong or was used before
 * @throws {Problem} 422 `totp_unreadable`
 */
export async function useSecondFactor(
  tx: Database,
  deps: Pick<Deps, 'secretBox'>,
  userId: string,
  proof: SecondFactorProof,
): Promise<boolean> {
  switch (proof.method) {
    case 'totp':
      return await useTotpCode(tx, deps, userId, proof.code)
    case 'recovery_code':
      return await deleteRecoveryCode(tx, userId, proof.code)
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

const fieldNames = { totp: 'totp_code', recovery_code: 'recovery_code' } as const

/** 400 for a proof that {@link useSecondFactor} rejects. */
export const wrongProofProblem = ({ method }: SecondFactorProof): Problem =>
  invalidFieldProblem(
    `/${fieldNames[method]}`,
    method === 'totp'
      ? 'is wrong or was used already: enter the code that your app shows next'
      : 'is wrong or was used already',
    'wrong_second_factor',
  )

/** The key is another one than when the app was set up, for example after a restore without it. */
const totpUnreadableProblem = () =>
  unprocessableProblem(
    'totp_unreadable',
    'The server cannot check codes of your authenticator app, because its SECRET_KEY has changed. Use a passkey or a recovery code, or ask an administrator to remove your second factors.',
  )

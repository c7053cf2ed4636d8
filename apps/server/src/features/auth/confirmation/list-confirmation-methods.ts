import type { ConfirmationMethod } from '@caseward/contract/confirmation'

import type { Deps } from '../../../deps.ts'
import { listSecondFactorMethods } from '../second-factors/use-second-factor.ts'
import { arePasswordsAllowed } from '../session/require-passwords-allowed.ts'
import type { ConfirmationRow } from './confirmation.queries.ts'

/**
 * Lists how the user of a session can confirm. A confirmation is never weaker than a sign-in: the password alone is not
 * enough for an account with a second factor, or for a session that a provider has started with two factors.
 */
export async function listConfirmationMethods(
  deps: Pick<Deps, 'db' | 'singleSignOn'>,
  row: ConfirmationRow,
): Promise<ConfirmationMethod[]> {
  if (row.userHasSecondFactor) return await listSecondFactorMethods(deps.db, row.userId)
  const isPasswordEnough = row.hasPassword && arePasswordsAllowed(deps) && !row.sessionHasSecondFactor
  return [
    ...(isPasswordEnough ? (['password'] as const) : []),
    ...(row.hasIdentity && deps.singleSignOn !== null ? (['single_sign_on'] as const) : []),
  ]
}

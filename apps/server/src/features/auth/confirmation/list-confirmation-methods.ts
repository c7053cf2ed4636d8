import type { ConfirmationMethod } from '@caseward/contract/confirmation'

import type { Database } from '../../../platform/database/connect.ts'
import { listSecondFactorMethods } from '../second-factors/use-second-factor.ts'
import type { ConfirmationRow } from './confirmation.queries.ts'

/**
 * Lists how the user of a session can confirm. A confirmation is never weaker than a sign-in: the password alone is not
 * enough for an account with a second factor, or for a session that a provider has started with two factors.
 */
export async function listConfirmationMethods(db: Database, row: ConfirmationRow): Promise<ConfirmationMethod[]> {
  if (row.userHasSecondFactor) return await listSecondFactorMethods(db, row.userId)
  return [
    ...(row.hasPassword && !row.sessionHasSecondFactor ? (['password'] as const) : []),
    ...(row.hasIdentity ? (['single_sign_on'] as const) : []),
  ]
}

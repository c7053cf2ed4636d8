import type { ConfirmationMethod } from '@caseward/contract/confirmation'

import type { Database } from '../../../platform/database/connect.ts'
import type { ConfirmationRow } from './confirmation.queries.ts'

/**
 * Lists how the user of a session can confirm. A confirmation is never weaker than a sign-in: the password alone is not
 * enough for an account with a second factor, or for a session that a provider has started with two factors.
 */
export function listConfirmationMethods(_db: Database, row: ConfirmationRow): Promise<ConfirmationMethod[]> {
  return Promise.resolve([
    ...(row.hasPassword && !row.sessionHasSecondFactor ? (['password'] as const) : []),
    ...(row.hasIdentity ? (['single_sign_on'] as const) : []),
  ])
}

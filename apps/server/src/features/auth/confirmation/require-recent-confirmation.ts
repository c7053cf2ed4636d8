import { CONFIRMATION_MINUTES, type ConfirmationMethod } from '@caseward/contract/confirmation'
import type { FastifyRequest } from 'fastify'

import { requirePrincipal } from '../../../access/request.ts'
import type { Deps } from '../../../deps.ts'
import { Problem, unauthenticatedProblem } from '../../../platform/http/problems.ts'
import { findConfirmation } from './confirmation.queries.ts'
import { listConfirmationMethods } from './list-confirmation-methods.ts'

/**
 * Requires that the user of a session has proved who they are in the last minutes: whoever finds an unlocked computer must
 * not create lasting access. Tokens pass, because they cannot confirm. It queries the database, so that it is only for
 * rare and sensitive changes. Call it in a hook (`onRequest`) or, where the body decides, before any other check of it.
 * @throws {Problem} 403 `confirmation_required`, with the ways to confirm that the user has; 401 for an ended session
 */
export async function requireRecentConfirmation(
  deps: Pick<Deps, 'db' | 'singleSignOn'>,
  request: Pick<FastifyRequest, 'principal'>,
): Promise<void> {
  const { kind, key } = requirePrincipal(request)
  if (kind !== 'session') return
  const confirmation = await findConfirmation(deps.db, key)
  if (confirmation === undefined) throw unauthenticatedProblem('Your session has just ended. Sign in again.')
  if (!confirmation.isRecent) throw confirmationRequiredProblem(await listConfirmationMethods(deps, confirmation))
}

const confirmationRequiredProblem = (methods: ConfirmationMethod[]) =>
  new Problem(
    403,
    'confirmation_required',
    `Confirm that it is you: you signed in more than ${CONFIRMATION_MINUTES} minutes ago. ${describeMethods(methods)}`,
    { extensions: { confirmation_methods: methods } },
  )

const descriptions: Record<ConfirmationMethod, string> = {
  password: 'your password',
  totp: 'a code of your authenticator app',
  passkey: 'a passkey',
  recovery_code: 'a recovery code',
  single_sign_on: 'single sign-on',
}

const describeMethods = (methods: readonly ConfirmationMethod[]): string =>
  methods.length === 0
    ? 'Sign out and sign in again.'
    : `You can do so with ${new Intl.ListFormat('en', { type: 'disjunction' }).format(methods.map((method) => descriptions[method]))}, or sign out and sign in again.`

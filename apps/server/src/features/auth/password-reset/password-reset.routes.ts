import * as contract from '@caseward/contract/password-resets'

import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import { presentTime } from '../../../platform/http/timestamps.ts'
import { presentMe } from '../account/present-me.ts'
import { requireSameOrigin } from '../session/require-same-origin.ts'
import { secondFactorRequiredProblem } from '../second-factors/complete-sign-in.ts'
import { requirePasswordsAllowed } from '../session/require-passwords-allowed.ts'
import { completeReset, requireResetLink } from './complete-reset.ts'
import { requestReset } from './request-reset.ts'

/** `/v1/password-resets` */
export function passwordResetsRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.requestPasswordReset,
    onRequest: requireSameOrigin(deps),
    handler: async (request, reply) => {
      requirePasswordsAllowed(deps)
      await requestReset(deps, request, reply, request.body.email)
      return { message: 'If this address has an account, we sent an email with a reset link. It expires in one hour.' }
    },
  })

  app.route({
    ...contract.getPasswordReset,
    handler: async (request) => {
      requirePasswordsAllowed(deps)
      const { email, expires_at } = await requireResetLink(deps.db, request.params.secret)
      return { data: { email, expires_at: presentTime(expires_at) } }
    },
  })

  app.route({
    ...contract.resetPassword,
    onRequest: requireSameOrigin(deps),
    handler: async (request, reply) => {
      requirePasswordsAllowed(deps)
      const { password, revoke_tokens: revokeTokens = false } = request.body
      const reset = { secret: request.params.secret, password, revokeTokens }
      const { user, isComplete } = await completeReset(deps, request, reply, reset)
      if (!isComplete) throw await secondFactorRequiredProblem(deps.db, user.id)
      return { data: presentMe(user, deps) }
    },
  })
}

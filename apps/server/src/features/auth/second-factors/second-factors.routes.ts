import * as contract from '@caseward/contract/second-factors'
import { renderSVG } from 'uqr'

import { requireUserId } from '../../../access/request.ts'
import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import { unauthenticatedProblem } from '../../../platform/http/problems.ts'
import { presentTime } from '../../../platform/http/timestamps.ts'
import { getActor } from '../../audit/record-audit.ts'
import { presentMe } from '../account/present-me.ts'
import { requireSession } from '../confirmation/confirm-session.ts'
import { requireRecentConfirmation } from '../confirmation/require-recent-confirmation.ts'
import { requireSameOrigin } from '../session/require-same-origin.ts'
import { findUser } from '../users/users.queries.ts'
import * as change from './change-second-factors.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { presentSecondFactor } from './present-second-factor.ts'
import { countRecoveryCodes, selectSecondFactors } from './second-factors.queries.ts'
import { formatOtpauthUri, formatTotpSecret } from './totp.ts'
import { parseProof } from './use-second-factor.ts'

/** `/v1/session/second-factor`, and `/v1/me/second-factors`: the second factors of the caller. */
export function secondFactorsRoutes(app: App, deps: Deps): void {
  const { db } = deps
  const requireConfirmedSession: (typeof requireSession)[] = [
    requireSession,
    (request) => requireRecentConfirmation(deps, request),
  ]

  app.route({
    ...contract.completeSignIn,
    onRequest: requireSameOrigin(deps),
    handler: async (request, reply) => {
      const user = await completeSignIn(deps, request, reply, parseProof(request.body))
      return reply.code(201).send({ data: presentMe(user, deps) })
    },
  })

  app.route({
    ...contract.listSecondFactors,
    handler: async (request) => {
      const userId = requireUserId(request)
      const [rows, recoveryCodeCount] = [await selectSecondFactors(db, userId), await countRecoveryCodes(db, userId)]
      return { data: { factors: rows.map(presentSecondFactor), recovery_code_count: recoveryCodeCount } }
    },
  })

  app.route({
    ...contract.setUpTotp,
    onRequest: requireConfirmedSession,
    handler: async (request, reply) => {
      const user = await findUser(db, requireUserId(request))
      if (user === undefined) throw unauthenticatedProblem('Your account was deleted.')
      const { id, secret, expiresAt } = await change.setUpTotp(deps, user.id, request.body.name ?? 'Authenticator app')
      const uri = formatOtpauthUri(secret, user.email)
      return reply.code(201).send({
        data: {
          id,
          secret: formatTotpSecret(secret),
          otpauth_uri: uri,
          qr_code: renderSVG(uri),
          expires_at: presentTime(expiresAt),
        },
      })
    },
  })

  app.route({
    ...contract.activateTotp,
    onRequest: requireSession,
    handler: async (request, reply) => {
      const input = { factorId: request.params.factor_id, code: request.body.code }
      return { data: await change.activateTotp(deps, request, reply, input).finally(deps.principalCache.clear) }
    },
  })

  app.route({
    ...contract.removeSecondFactor,
    onRequest: requireConfirmedSession,
    handler: async (request, reply) => {
      const { factor_id: factorId } = request.params
      const removal = change.removeSecondFactor(deps, getActor(request), requireUserId(request), factorId)
      await removal.finally(deps.principalCache.clear)
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...contract.renewRecoveryCodes,
    onRequest: requireConfirmedSession,
    handler: async (request, reply) => {
      const codes = await change.renewRecoveryCodes(deps, getActor(request), requireUserId(request))
      return reply.code(201).send({ data: { recovery_codes: codes } })
    },
  })
}

import * as contract from '@caseward/contract/single-sign-on'
import type { Identity } from '@caseward/contract/single-sign-on'

import { requireUserId, requireUserPrincipal } from '../../../access/request.ts'
import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import { presentTime } from '../../../platform/http/timestamps.ts'
import { getActor } from '../../audit/record-audit.ts'
import { requireRecentConfirmation } from '../confirmation/require-recent-confirmation.ts'
import { type IdentityRow, selectIdentities } from './single-sign-on.queries.ts'
import { unlinkIdentity } from './unlink-identity.ts'

/** `/v1/me/identities`: the users of sign-in providers that the caller's account is linked with. */
export function singleSignOnRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.listIdentities,
    handler: async (request) => {
      const rows = await selectIdentities(deps.db, requireUserId(request))
      return { data: rows.map(presentIdentity) }
    },
  })

  app.route({
    ...contract.unlinkIdentity,
    onRequest: (request) => requireRecentConfirmation(deps, request),
    handler: async (request, reply) => {
      const { kind, key, userId } = requireUserPrincipal(request)
      const caller = { userId, sessionId: kind === 'session' ? key : null }
      await unlinkIdentity(deps, getActor(request), caller, request.params.identity_id).finally(
        deps.principalCache.clear,
      )
      return reply.code(204).send(null)
    },
  })
}

const presentIdentity = ({ id, issuer, created_at }: IdentityRow): Identity => ({
  id,
  issuer,
  created_at: presentTime(created_at),
})

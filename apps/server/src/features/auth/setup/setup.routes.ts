import * as contract from '@caseward/contract/setup'

import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import { presentTime } from '../../../platform/http/timestamps.ts'
import { presentMe } from '../account/present-me.ts'
import { requireSameOrigin } from '../session/require-same-origin.ts'
import { completeSetup, requireSetupLink } from './complete-setup.ts'

/** `/v1/setup/:secret` */
export function setupRoutes(app: App, deps: Deps): void {
  const { db } = deps

  app.route({
    ...contract.getSetupLink,
    handler: async (request) => {
      const { expires_at } = await requireSetupLink(db, request.params.secret)
      return { data: { expires_at: presentTime(expires_at) } }
    },
  })

  app.route({
    ...contract.completeSetup,
    onRequest: requireSameOrigin(deps),
    handler: async (request, reply) => {
      const user = await completeSetup(deps, request, reply, { ...request.body, ...request.params })
      return reply.code(201).send({ data: presentMe(user, deps) })
    },
  })
}

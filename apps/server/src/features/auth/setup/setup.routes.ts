import * as contract from '@caseward/contract/setup'

import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import { presentTime } from '../../../platform/http/timestamps.ts'
import { presentMe } from '../session/session.routes.ts'
import { requireSameOrigin } from '../session/sign-in.ts'
import { requireSetupLink, completeSetup } from './setup-link.ts'

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
      return reply.code(201).send({ data: presentMe(user) })
    },
  })
}

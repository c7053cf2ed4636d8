import * as contract from '@caseward/contract/setup'

import type { Deps } from '../../../deps.ts'
import type { App } from '../../../access/request.ts'
import { presentTime } from '../../../platform/http/timestamps.ts'
import { presentMe } from '../session/session.routes.ts'
import { fromOurPages } from '../session/sign-in.ts'
import { requireSetUpSecret, setUp } from './setup-link.ts'

export function setUpRoutes(app: App, deps: Deps): void {
  const { db } = deps

  app.route({
    ...contract.readSetUpLink,
    handler: async (request) => {
      const { expires_at } = await requireSetUpSecret(db, request.params.secret)
      return { data: { expires_at: presentTime(expires_at) } }
    },
  })

  app.route({
    ...contract.setUp,
    onRequest: fromOurPages(deps),
    handler: async (request, reply) => {
      const user = await setUp(deps, request, reply, { ...request.body, ...request.params })
      return reply.code(201).send({ data: presentMe(user) })
    },
  })
}

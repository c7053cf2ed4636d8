import * as contract from '@caseward/contract/confirmation'

import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import { presentTime } from '../../../platform/http/timestamps.ts'
import { confirmSession, requireSession } from './confirm-session.ts'

/** `/v1/session/confirm`. */
export function confirmationRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.confirmSession,
    onRequest: requireSession,
    handler: async (request, reply) => {
      const until = await confirmSession(deps, request, reply, request.body)
      return { data: { confirmed_until: presentTime(until) } }
    },
  })
}

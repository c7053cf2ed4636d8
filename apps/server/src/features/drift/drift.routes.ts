import * as contract from '@caseward/contract/drift'

import { requireProject, requireUserPrincipal } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { getActor } from '../audit/record-audit.ts'
import { continueTest } from './continue-test.ts'
import { readDrift } from './read-drift.ts'

export function driftRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.listDrift,
    handler: async (request) => await readDrift(deps.db, requireProject(request), request.query, new Date()),
  })

  app.route({
    ...contract.continueTest,
    handler: async (request, reply) => {
      const caller = {
        actor: getActor(request),
        user: requireUserPrincipal(request),
        project: requireProject(request),
      }
      const test = await continueTest(deps, caller, request.params.test_id, request.body.from_test_id)
      return sendJson(reply, `{"data":${test}}`)
    },
  })
}

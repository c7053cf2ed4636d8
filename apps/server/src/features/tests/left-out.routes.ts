import * as contract from '@caseward/contract/left-out'

import { requireRun, requireUserId } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { getActor } from '../audit/record-audit.ts'
import { leaveOutSuiteError, leaveOutTest, putBackLeftOut } from './leave-out.ts'
import { selectLeftOut } from './left-out.queries.ts'

export function leftOutRoutes(app: App, deps: Deps): void {
  const getCaller = (request: Parameters<typeof getActor>[0]) => ({
    actor: getActor(request),
    userId: requireUserId(request),
  })

  app.route({
    ...contract.leaveOutTest,
    handler: async (request) => ({
      data: await leaveOutTest(deps, requireRun(request), request.params.test_id, getCaller(request)),
    }),
  })

  app.route({
    ...contract.leaveOutSuiteError,
    handler: async (request) => ({
      data: await leaveOutSuiteError(deps, requireRun(request), request.params.error_id, getCaller(request)),
    }),
  })

  app.route({
    ...contract.listLeftOut,
    handler: async (request) => ({ data: await selectLeftOut(deps.db, requireRun(request)) }),
  })

  app.route({
    ...contract.putBackLeftOut,
    handler: async (request) => ({
      data: await putBackLeftOut(deps, requireRun(request), request.params.id, getCaller(request)),
    }),
  })
}

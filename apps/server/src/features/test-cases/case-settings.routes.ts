import * as contract from '@caseward/contract/case-settings'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { getActor } from '../audit/record-audit.ts'
import { changeCaseSettings, selectCaseSettings } from './case-settings.ts'

export function caseSettingsRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.getCaseSettings,
    handler: async (request) => {
      const settings = await selectCaseSettings(db, requireProject(request).id)
      if (settings === undefined) throw notFoundProblem('project')
      return { data: settings }
    },
  })

  app.route({
    ...contract.updateCaseSettings,
    handler: async (request) => {
      const settings = await changeCaseSettings(db, getActor(request), requireProject(request).id, request.body)
      if (settings === undefined) throw notFoundProblem('project')
      return { data: settings }
    },
  })
}

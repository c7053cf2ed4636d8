import { getInsightSettings, updateInsightSettings } from '@caseward/contract/insight-settings'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { getActor } from '../audit/record-audit.ts'
import { hasRepetitions } from '../stability/has-repetitions.ts'
import { changeInsightSettings, selectInsightSettings } from './insight-settings.ts'

export function insightSettingsRoutes(app: App, { db }: Deps): void {
  app.route({
    ...getInsightSettings,
    handler: async (request) => {
      const { id } = requireProject(request)
      const settings = await selectInsightSettings(db, id)
      if (settings === undefined) throw notFoundProblem('project')
      if (request.query.fields !== 'repetitions') return { data: settings }
      return { data: { ...settings, has_repetitions: await hasRepetitions(db, id) } }
    },
  })

  app.route({
    ...updateInsightSettings,
    handler: async (request) => {
      const project = requireProject(request)
      const settings = await changeInsightSettings(db, getActor(request), project.id, request.body)
      if (settings === undefined) throw notFoundProblem('project')
      return { data: settings }
    },
  })
}

import { EXPORT_FIELDS, exportResults } from '@caseward/contract/exports'

import { getLoadOwnerId } from '../../access/principal.ts'
import { requirePrincipal, requireRun } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { orderColumns } from './export-columns.ts'
import { selectExportedRun } from './exported-run.queries.ts'
import { sendExport } from './send-export.ts'

export function exportsRoutes(app: App, deps: Deps): void {
  app.route({
    ...exportResults,
    handler: async (request, reply) => {
      const { id, project } = requireRun(request)
      const { format = 'csv', fields = EXPORT_FIELDS } = request.query
      const run = await selectExportedRun(deps.db, id)
      if (run === undefined) throw notFoundProblem('run')
      const results = { project, sources: [{ root: id, runIds: [id] }], columns: orderColumns(fields) }
      const ownerId = getLoadOwnerId(requirePrincipal(request))
      return await sendExport(reply, deps, { format, results, count: run.count, name: run.name, ownerId })
    },
  })
}

import { EXPORT_FIELDS, EXPORT_PARTS, exportProject, exportResults } from '@caseward/contract/exports'

import { getLoadOwnerId } from '../../access/principal.ts'
import { requirePrincipal, requireProject, requireRun } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { readFieldFilters } from '../test-cases/field-filters.ts'
import { orderColumns } from './export-columns.ts'
import { readCustomColumns } from './custom-columns.ts'
import { selectExportedRun } from './exported-run.queries.ts'
import { createExportSlots, sendProjectExport } from './project/send-project-export.ts'
import { sendExport } from './send-export.ts'

export function exportsRoutes(app: App, deps: Deps): void {
  const slots = createExportSlots()

  app.route({
    ...exportProject,
    handler: async (request, reply) => {
      const project = requireProject(request)
      const principal = requirePrincipal(request)
      const { format = 'bundle', include = EXPORT_PARTS, rows, ...filters } = request.query
      return await sendProjectExport(reply, deps, slots, {
        projectId: project.id,
        format,
        parts: include,
        hasStepRows: rows === 'steps',
        filters: { ...filters, fieldPaths: await readFieldFilters(deps.db, project, request.query) },
        hasEmails: principal.kind !== 'ci' && principal.roles.get(project.id) === 'admin',
        ownerId: getLoadOwnerId(principal),
      })
    },
  })

  app.route({
    ...exportResults,
    handler: async (request, reply) => {
      const { id, project } = requireRun(request)
      const { format = 'csv', fields } = request.query
      const run = await selectExportedRun(deps.db, id)
      if (run === undefined) throw notFoundProblem('run')
      const chosen = EXPORT_FIELDS.filter(
        (field) => fields?.includes(field) ?? (field !== 'combinations' || run.hasCombinations),
      )
      const hasCustomFields = fields?.includes('custom_fields') ?? true
      const results = {
        project,
        sources: [{ root: id, runIds: [id] }],
        columns: orderColumns(chosen),
        customFields: hasCustomFields ? await readCustomColumns(deps.db, project.id) : [],
      }
      const ownerId = getLoadOwnerId(requirePrincipal(request))
      return await sendExport(reply, deps, { format, results, count: run.count, name: run.name, ownerId })
    },
  })
}

import { getFailureGroup, listFailureGroups, listRunFailureGroups } from '@caseward/contract/failure-groups'

import { requireProject, requireRun } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { getGroup, listGroupsOfProject, listGroupsOfRun } from './failure-groups.ts'

export function failureGroupsRoutes(app: App, { db }: Deps): void {
  app.route({
    ...listRunFailureGroups,
    handler: async (request) => await listGroupsOfRun(db, requireRun(request), request.query),
  })

  app.route({
    ...listFailureGroups,
    handler: async (request) => await listGroupsOfProject(db, requireProject(request), request.query),
  })

  app.route({
    ...getFailureGroup,
    handler: async (request) => {
      const group = await getGroup(db, requireProject(request), request.params.signature, request.query)
      if (group === null) throw notFoundProblem('failure group')
      return { data: group }
    },
  })
}

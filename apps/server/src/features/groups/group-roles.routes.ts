import * as contract from '@caseward/contract/group-roles'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { getActor } from '../audit/record-audit.ts'
import { selectGroupRoles } from './group-roles.queries.ts'
import { replaceGroupRoles } from './replace-group-roles.ts'

/** `/v1/projects/:project_id/group-roles` */
export function groupRolesRoutes(app: App, deps: Deps): void {
  const meta = { groups_claim: deps.singleSignOn?.groupsClaim ?? null }

  app.route({
    ...contract.listGroupRoles,
    handler: async (request) => ({ data: await selectGroupRoles(deps.db, requireProject(request).id), meta }),
  })

  app.route({
    ...contract.replaceGroupRoles,
    handler: async (request) => {
      const { id } = requireProject(request)
      const change = replaceGroupRoles(deps, getActor(request), id, request.body.group_roles)
      return { data: await change.finally(deps.principalCache.clear), meta }
    },
  })
}

import { createDemoProject } from '@caseward/contract/demo'

import { requireUserId } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { conflictProblem } from '../../platform/http/problems.ts'
import { requireProjectCreation } from '../admin/require-project-creation.ts'
import { getActor } from '../audit/record-audit.ts'
import { presentProject } from '../projects/present-project.ts'
import { createDemo, DEMO_NAME } from './create-demo.ts'

export function demoRoutes(app: App, deps: Deps): void {
  const { db, principalCache } = deps
  app.route({
    ...createDemoProject,
    onRequest: requireProjectCreation({ db }),
    handler: async (request, reply) => {
      const adminId = requireUserId(request)
      const existing = await db
        .selectFrom('memberships')
        .innerJoin('projects', 'projects.id', 'memberships.project_id')
        .select('projects.id')
        .where('memberships.user_id', '=', adminId)
        .where('projects.name', '=', DEMO_NAME)
        .limit(1)
        .executeTakeFirst()
      if (existing !== undefined) throw demoExistsProblem()
      const team = { adminId, testerIds: [] }
      const project = await createDemo(deps, getActor(request), team, () => principalCache.clear())
      return reply.code(201).send({ data: presentProject(project) })
    },
  })
}

const demoExistsProblem = () =>
  conflictProblem('demo_exists', 'You have a demo project already. Delete or rename it first to create another one.')

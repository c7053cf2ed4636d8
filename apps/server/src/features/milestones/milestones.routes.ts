import * as contract from '@caseward/contract/milestones'

import type { Deps } from '../../deps.ts'
import { parsePage } from '../../platform/http/pagination.ts'
import type { App } from '../../platform/http/app.ts'
import { requireProject } from '../../access/request.ts'
import { notFound } from '../../platform/http/problems.ts'
import * as milestones from './milestones.queries.ts'
import { presentListItem, presentMilestone, presentMilestoneDetail } from './present-milestone.ts'
import { createMilestone, updateMilestone } from './change-milestones.ts'

export function milestonesRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.listMilestones,
    handler: async (request) => {
      const page = parsePage(request.query)
      const found = await milestones.selectMilestones(db, requireProject(request).id, request.query.status, page)
      if (found === undefined) throw notFound('project')
      const meta = { page: page.page, per_page: page.perPage, total: found.total }
      return { data: found.families.map(presentListItem), meta }
    },
  })

  app.route({
    ...contract.createMilestone,
    handler: async (request, reply) => {
      const family = await createMilestone(db, requireProject(request).id, request.body)
      return reply.code(201).send(presentMilestone(family, new Date()))
    },
  })

  app.route({
    ...contract.getMilestone,
    handler: async (request) => {
      const { id: projectId } = requireProject(request)
      const family = await milestones.selectMilestone(db, projectId, request.params.milestone_id)
      if (family === undefined) throw notFound('milestone')
      const runs = await milestones.selectLinkedRuns(db, projectId, family.milestone.id)
      return presentMilestoneDetail(family, runs, new Date())
    },
  })

  app.route({
    ...contract.updateMilestone,
    handler: async (request) => {
      const family = await updateMilestone(db, requireProject(request).id, request.params.milestone_id, request.body)
      return presentMilestone(family, new Date())
    },
  })

  app.route({
    ...contract.deleteMilestone,
    handler: async (request, reply) => {
      const deleted = await milestones.deleteMilestone(db, requireProject(request).id, request.params.milestone_id)
      if (!deleted) throw notFound('milestone')
      return reply.code(204).send(null)
    },
  })
}

import * as readiness from '@caseward/contract/milestone-readiness'
import * as contract from '@caseward/contract/milestones'

import type { Deps } from '../../deps.ts'
import { formatJsonPage, parsePage } from '../../platform/http/pagination.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { requireProject } from '../../access/request.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { requireTimeZone } from '../../platform/http/time-zones.ts'
import { getActor } from '../audit/record-audit.ts'
import { selectBlockers } from './blockers.queries.ts'
import { selectBurnUpCounts } from './burn-up.queries.ts'
import { buildBurnUp } from './burn-up.ts'
import { createMilestone, deleteMilestone, requireMilestone, updateMilestone } from './change-milestones.ts'
import { type MilestoneWithSubs, selectLinkedRuns, selectMilestones } from './milestones.queries.ts'
import { selectReadinessCounts } from './readiness.queries.ts'
import { PACE_DAYS, computeReadiness } from './milestone-readiness.ts'
import { presentFullListItem, presentListItem, presentMilestone, presentMilestoneDetail } from './present-milestone.ts'

export function milestonesRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.listMilestones,
    handler: async (request) => {
      const page = parsePage(request.query)
      const list = await selectMilestones(db, requireProject(request).id, request.query, page)
      if (list === undefined) throw notFoundProblem('project')
      const meta = { page: page.page, per_page: page.perPage, total: list.total }
      const now = new Date()
      const present =
        request.query.fields === 'all'
          ? (milestone: MilestoneWithSubs) => presentFullListItem(milestone, now)
          : presentListItem
      return { data: list.milestones.map(present), meta }
    },
  })

  app.route({
    ...contract.createMilestone,
    handler: async (request, reply) => {
      const milestone = await createMilestone(db, requireProject(request).id, request.body)
      return reply.code(201).send(presentMilestone(milestone, new Date()))
    },
  })

  app.route({
    ...contract.getMilestone,
    handler: async (request) => {
      const { id: projectId } = requireProject(request)
      const milestone = await requireMilestone(db, projectId, request.params.milestone_id)
      const runs = await selectLinkedRuns(db, projectId, milestone.id)
      return presentMilestoneDetail(milestone, runs, new Date())
    },
  })

  app.route({
    ...readiness.getMilestoneReadiness,
    handler: async (request) => {
      const counts = await selectReadinessCounts(db, requireProject(request).id, request.params.milestone_id, PACE_DAYS)
      if (counts === undefined) throw notFoundProblem('milestone')
      return { data: computeReadiness(counts, new Date()) }
    },
  })

  app.route({
    ...readiness.getMilestoneBurnUp,
    handler: async (request) => {
      const timeZone = requireTimeZone(request.query.time_zone)
      const counts = await selectBurnUpCounts(db, requireProject(request).id, request.params.milestone_id)
      if (counts === undefined) throw notFoundProblem('milestone')
      return { data: buildBurnUp(counts, timeZone, new Date()) }
    },
  })

  app.route({
    ...readiness.listMilestoneBlockers,
    handler: async (request, reply) => {
      const { status, priority, page: number, per_page = 100 } = request.query
      const page = parsePage({ ...(number === undefined ? {} : { page: number }), per_page })
      const project = requireProject(request)
      const blockers = await selectBlockers(db, project, request.params.milestone_id, { status, priority }, page)
      if (blockers === null) throw notFoundProblem('milestone')
      return sendJson(reply, formatJsonPage(blockers, page))
    },
  })

  app.route({
    ...contract.updateMilestone,
    handler: async (request) => {
      const { id: projectId } = requireProject(request)
      const milestone = await updateMilestone(db, projectId, request.params.milestone_id, request.body)
      return presentMilestone(milestone, new Date())
    },
  })

  app.route({
    ...contract.deleteMilestone,
    handler: async (request, reply) => {
      await deleteMilestone(db, getActor(request), requireProject(request).id, request.params.milestone_id)
      return reply.code(204).send(null)
    },
  })
}

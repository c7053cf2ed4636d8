import * as contract from '@caseward/contract/shares'
import type { FastifyRequest } from 'fastify'

import type { Role } from '../../access/principal.ts'
import { requirePrincipal, requireProject, requireRun, requireUserPrincipal } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { getActor } from '../audit/record-audit.ts'
import { requireMilestone } from '../milestones/change-milestones.ts'
import { createShare, findRefusal } from './create-share.ts'
import { revokeShare } from './revoke-share.ts'
import { presentShare, selectShares, selectShareSetting, type ShareSubject } from './shares.queries.ts'

export function sharesRoutes(app: App, deps: Deps): void {
  const { db, allowsShares } = deps

  async function list(request: FastifyRequest, subject?: ShareSubject) {
    const { id: projectId } = requireProject(request)
    const setting = await selectShareSetting(db, projectId)
    if (setting === undefined) throw notFoundProblem('project')
    const refusal = findRefusal(allowsShares, setting, getRole(request, projectId))
    const data = (await selectShares(db, projectId, subject)).map(presentShare)
    return { data, meta: { can_create: refusal === null, refusal } }
  }

  async function create(request: FastifyRequest, subject: ShareSubject, body: contract.CreateShareBody) {
    const { id: projectId } = requireProject(request)
    const creator = requireUserPrincipal(request)
    return { data: await createShare(deps, getActor(request), creator, { projectId, subject, body }) }
  }

  app.route({
    ...contract.listRunShares,
    handler: async (request) => await list(request, { kind: 'run', id: requireRun(request).id }),
  })

  app.route({
    ...contract.createRunShare,
    handler: async (request, reply) => {
      const subject = { kind: 'run', id: requireRun(request).id } as const
      return reply.code(201).send(await create(request, subject, request.body))
    },
  })

  app.route({
    ...contract.listMilestoneShares,
    handler: async (request) => {
      const { id } = await requireMilestone(db, requireProject(request).id, request.params.milestone_id)
      return await list(request, { kind: 'milestone', id })
    },
  })

  app.route({
    ...contract.createMilestoneShare,
    handler: async (request, reply) => {
      const { id } = await requireMilestone(db, requireProject(request).id, request.params.milestone_id)
      return reply.code(201).send(await create(request, { kind: 'milestone', id }, request.body))
    },
  })

  app.route({
    ...contract.listShares,
    handler: async (request) => await list(request),
  })

  app.route({
    ...contract.revokeShare,
    handler: async (request, reply) => {
      await revokeShare(db, getActor(request), requireProject(request).id, request.params.share_id)
      return reply.code(204).send(null)
    },
  })
}

/** CI tokens have none. */
function getRole(request: FastifyRequest, projectId: string): Role | undefined {
  const principal = requirePrincipal(request)
  return principal.kind === 'ci' ? undefined : principal.roles.get(projectId)
}

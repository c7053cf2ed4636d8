import { getSharedStepUsage } from '@caseward/contract/shared-step-usage'
import * as uses from '@caseward/contract/shared-step-uses'
import { listSharedStepVersions } from '@caseward/contract/shared-step-versions'
import * as contract from '@caseward/contract/shared-steps'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { getActor } from '../audit/record-audit.ts'
import { getCaseAuthor } from '../case-versions/case-author.ts'
import { parseIfMatch } from '../test-cases/test-case-version.ts'
import { createSharedStep, deleteSharedStep, detachSharedStep, updateSharedStep } from './change-shared-steps.ts'
import { readSharedStepUsage } from './read-shared-step-usage.ts'
import { listSharedSteps, listUses, listVersions, readSharedStep } from './read-shared-steps.ts'

export function sharedStepsRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.listSharedSteps,
    handler: async (request) => {
      const data = await listSharedSteps(db, requireProject(request).id)
      return { data, meta: { total: data.length } }
    },
  })

  app.route({
    ...contract.createSharedStep,
    handler: async (request, reply) => {
      const changer = { actor: getActor(request), author: getCaseAuthor(request, 'shared_step') }
      const created = await createSharedStep(db, requireProject(request), changer, request.body)
      return reply.code(201).send({ data: created })
    },
  })

  app.route({
    ...contract.getSharedStep,
    handler: async (request) => {
      const { shared_step_id: id } = request.params
      return { data: await readSharedStep(db, requireProject(request).id, id, request.query.version ?? null) }
    },
  })

  app.route({
    ...contract.updateSharedStep,
    handler: async (request) => {
      const changer = { actor: getActor(request), author: getCaseAuthor(request, 'shared_step') }
      const { shared_step_id: id } = request.params
      const ifMatch = parseIfMatch(request.headers['if-match'])
      return { data: await updateSharedStep(db, requireProject(request), changer, id, request.body, ifMatch) }
    },
  })

  app.route({
    ...contract.deleteSharedStep,
    handler: async (request, reply) => {
      const changer = { actor: getActor(request), author: getCaseAuthor(request, 'shared_step') }
      const { shared_step_id: id } = request.params
      await deleteSharedStep(db, requireProject(request), changer, id, { detach: request.query.detach === 'true' })
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...uses.listSharedStepUses,
    handler: async (request) =>
      await listUses(db, requireProject(request), request.params.shared_step_id, request.query.after ?? null),
  })

  app.route({
    ...getSharedStepUsage,
    handler: async (request) => ({
      data: await readSharedStepUsage(db, requireProject(request).id, request.params.shared_step_id),
    }),
  })

  app.route({
    ...listSharedStepVersions,
    handler: async (request) =>
      await listVersions(db, requireProject(request).id, request.params.shared_step_id, request.query.after ?? null),
  })

  app.route({
    ...uses.detachSharedStep,
    handler: async (request) => {
      const { shared_step_id: id } = request.params
      const author = getCaseAuthor(request, 'shared_step')
      const detached = await detachSharedStep(db, requireProject(request), author, id, request.body.test_case_ids)
      return { data: { detached } }
    },
  })
}

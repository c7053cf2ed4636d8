import * as contract from '@caseward/contract/report'
import type { FastifyRequest } from 'fastify'

import { requireProject, requireUserId } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { readReport } from './read-report.ts'
import { deleteSubscription, saveSubscription, selectSubscription, type Subscriber } from './report-subscriptions.ts'

const getSubscriber = (request: FastifyRequest): Subscriber => ({
  projectId: requireProject(request).id,
  userId: requireUserId(request),
})

export function reportsRoutes(app: App, { db, hasMailServer }: Deps): void {
  app.route({
    ...contract.getReport,
    handler: async (request) => {
      const report = await readReport(db, requireProject(request).id, request.query, new Date())
      if (report === undefined) throw notFoundProblem('project')
      return { data: report }
    },
  })

  app.route({
    ...contract.getReportSubscription,
    handler: async (request) => ({
      data: await selectSubscription(db, getSubscriber(request)),
      meta: { has_mail_server: hasMailServer },
    }),
  })

  app.route({
    ...contract.setReportSubscription,
    handler: async (request) => ({
      data: await saveSubscription(db, getSubscriber(request), request.body, new Date()),
    }),
  })

  app.route({
    ...contract.deleteReportSubscription,
    handler: async (request) => {
      await deleteSubscription(db, getSubscriber(request))
      return { data: null }
    },
  })
}

import * as contract from '@caseward/contract/account-reviews'

import { requireUserId } from '../../../access/request.ts'
import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import { notFoundProblem } from '../../../platform/http/problems.ts'
import { getActor, recordAudit } from '../../audit/record-audit.ts'
import { clearReviewSince, selectReview } from './review.queries.ts'

/** `/v1/me/review`: what the user should check after the account was secured. */
export function reviewRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.getAccountReview,
    handler: async (request) => ({ data: await selectReview(db, requireUserId(request)) }),
  })

  app.route({
    ...contract.completeAccountReview,
    handler: async (request, reply) => {
      const userId = requireUserId(request)
      await db.transaction().execute(async (tx) => {
        if (!(await clearReviewSince(tx, userId))) throw notFoundProblem('check of the account')
        const subject = { kind: 'user', id: userId } as const
        await recordAudit(tx, getActor(request), { action: 'user.complete_review', subject })
      })
      return reply.code(204).send(null)
    },
  })
}

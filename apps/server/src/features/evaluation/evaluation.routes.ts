import { getEvaluation } from '@caseward/contract/evaluation'
import { listVerdicts } from '@caseward/contract/verdicts'

import { requireRun } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { listVerdictsOfRun } from './list-verdicts.ts'
import { readEvaluation } from './read-evaluation.ts'

/** When a client that did not wait should ask again. */
const RETRY_AFTER_SECONDS = 2

export function evaluationRoutes(app: App, { db }: Deps): void {
  const closing = new AbortController()
  app.addHook('preClose', (done) => {
    closing.abort()
    done()
  })

  app.route({
    ...getEvaluation,
    handler: async (request, reply) => {
      const createSignal = () => {
        const left = new AbortController()
        reply.raw.once('close', () => left.abort())
        return AbortSignal.any([closing.signal, left.signal])
      }
      const { wait: waitSeconds = 0 } = request.query
      const evaluation = await readEvaluation(db, requireRun(request), { waitSeconds, createSignal })
      if (evaluation === null) throw notFoundProblem('run')
      if (!evaluation.isCurrent) void reply.header('retry-after', String(RETRY_AFTER_SECONDS))
      return sendJson(reply, `{"data":${evaluation.json}}`)
    },
  })

  app.route({
    ...listVerdicts,
    handler: async (request) => await listVerdictsOfRun(db, requireRun(request), request.query),
  })
}

import type { Run } from '@caseward/contract/runs'
import { Type } from 'typebox'

import type { Deps } from '../../deps.ts'
import { selectNotPassed } from '../results/not-passed.queries.ts'
import { selectProject } from '../projects/projects.queries.ts'
import { selectRun } from './runs.queries.ts'
import { checkProjectPermission } from '../../access/permissions.ts'
import { consumeRateLimit } from '../../platform/http/rate-limit.ts'
import type { App } from '../../platform/http/app.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { sendPage } from '../../platform/pages/layout.ts'
import { runBody } from './run.view.ts'
import { findSignedInUser } from '../auth/session/signed-in-user.ts'

const params = Type.Object({ id: Type.String() })

/** `/runs/<id>`: how a run went, for whoever belongs to its project. */
export function runPages(pages: App, deps: Deps): void {
  const { db, projectCache: places, rateLimits } = deps

  pages.get('/runs/:id', { schema: { hide: true, params } }, async (request, reply) => {
    const visitor = await findSignedInUser(deps, request)
    if (visitor === null) {
      return reply.redirect(`/sign-in?next=${encodeURIComponent(`/runs/${request.params.id}`)}`, 303)
    }
    const { user, session } = visitor
    await consumeRateLimit(rateLimits.other, session.key, reply)
    const place = await places.findRun(request.params.id)
    if (place === null) throw notFoundProblem('run')
    const refusal = checkProjectPermission(session, 'project:view', place.project.id, request.method)
    if (refusal !== null) throw refusal
    const [text, project, notPassed] = await Promise.all([
      selectRun(db, place.id),
      selectProject(db, place.project.id),
      selectNotPassed(db, place),
    ])
    if (text === null || project === undefined) throw notFoundProblem('run')
    const run = JSON.parse(text) as Run
    return sendPage(reply, { title: run.name, body: runBody({ run, project, notPassed }), user, isWide: true })
  })
}

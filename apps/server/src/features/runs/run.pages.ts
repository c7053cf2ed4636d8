import type { Run } from '@caseward/contract/runs'
import { Type } from 'typebox'

import type { Deps } from '../../deps.ts'
import { selectNotPassedResults } from '../results/not-passed.queries.ts'
import { selectProject } from '../projects/projects.queries.ts'
import { selectRun } from './runs.queries.ts'
import { checkProjectPermission } from '../../access/permissions.ts'
import { consumeRateLimit } from '../../platform/http/rate-limit.ts'
import type { App } from '../../platform/http/app.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { sendPage } from '../../platform/pages/layout.ts'
import { renderRun } from './run.view.ts'
import { findSignedInUser } from '../auth/session/signed-in-user.ts'

const params = Type.Object({ id: Type.String() })

/** `/plain/runs/<id>`: the results of a run, for members of its project. */
export function runPages(pages: App, deps: Deps): void {
  const { db, projectCache, rateLimits } = deps

  pages.get('/plain/runs/:id', { schema: { hide: true, params } }, async (request, reply) => {
    const { id } = request.params
    const signedIn = await findSignedInUser(deps, request, reply)
    if (signedIn === null) return reply.redirect(`/sign-in?next=${encodeURIComponent(`/runs/${id}`)}`, 303)
    const { user, session } = signedIn
    await consumeRateLimit(rateLimits.other, session.key, reply)

    const runRef = await projectCache.findRun(id)
    if (runRef === null) throw notFoundProblem('run')
    const permissionProblem = checkProjectPermission(session, 'project:view', runRef.project.id, request.method)
    if (permissionProblem !== null) throw permissionProblem

    const [runJson, project, notPassed] = await Promise.all([
      selectRun(db, runRef.id),
      selectProject(db, runRef.project.id),
      selectNotPassedResults(db, runRef),
    ])
    if (runJson === null || project === undefined) throw notFoundProblem('run')
    const run = JSON.parse(runJson) as Run
    return sendPage(reply, { title: run.name, body: renderRun({ run, project, notPassed }), user, isWide: true })
  })
}

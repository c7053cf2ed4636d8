import type { Run } from '@casebook/contract/runs'
import { Type } from 'typebox'

import type { Deps } from '../deps.ts'
import { selectNotPassed } from '../features/results/not-passed.queries.ts'
import { selectProject } from '../features/projects/projects.queries.ts'
import { selectRun } from '../features/runs/runs.queries.ts'
import { refuseInProject } from '../http/authorize.ts'
import { countAgainst } from '../http/rate-limit.ts'
import type { App } from '../http/request.ts'
import { notFound } from '../problems.ts'
import { sendPage } from './layout.ts'
import { runBody } from './run.view.ts'
import { visitorOf } from './visitor.ts'

const params = Type.Object({ id: Type.String() })

/** `/runs/<id>`: how a run went, for whoever belongs to its project. */
export function runPages(pages: App, deps: Deps): void {
  const { db, places, rateLimits } = deps

  pages.get('/runs/:id', { schema: { hide: true, params } }, async (request, reply) => {
    const visitor = await visitorOf(deps, request)
    if (visitor === null) {
      return reply.redirect(`/sign-in?next=${encodeURIComponent(`/runs/${request.params.id}`)}`, 303)
    }
    const { user, session } = visitor
    await countAgainst(rateLimits.other, session.key, reply)
    const place = await places.run(request.params.id)
    if (place === null) throw notFound('run')
    const refusal = refuseInProject(session, 'project:view', place.project.id, request.method)
    if (refusal !== null) throw refusal
    const [text, project, notPassed] = await Promise.all([
      selectRun(db, place.id),
      selectProject(db, place.project.id),
      selectNotPassed(db, place),
    ])
    if (text === null || project === undefined) throw notFound('run')
    const run = JSON.parse(text) as Run
    return sendPage(reply, { title: run.name, body: runBody({ run, project, notPassed }), user, wide: true })
  })
}

import { sql } from 'kysely'

import { type Prepare, table } from './table.ts'
import { makeTestOfRun } from './tests.ts'

/** Two tests of which one continues the other: they are in no run any more. */
const movedTest: Prepare = async (scenario) => {
  const { id } = await makeTestOfRun(scenario)
  const from = await makeTestOfRun(scenario)
  await sql`delete from test_outcomes where test_id = ${from.id}`.execute(scenario.server.db)
  return { ids: { id }, body: { from_test_id: from.id } }
}
const subscription: Prepare = () => ({ body: { every: 'week', weekday: 1, hour: 8, time_zone: 'Europe/Berlin' } })
/** Every member has one. */
const existingSubscription: Prepare = async ({ server, project }) => {
  await sql`
    insert into report_subscriptions (project_id, user_id, every, hour, time_zone, last_sent_on)
    select project_id, user_id, 'day', 8, 'UTC', now() from memberships where project_id = ${project.id}
    on conflict do nothing`.execute(server.db)
  return {}
}
const drift: Prepare = () => ({ query: '?kind=gone' })

export const insight = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/projects/:projectId/health
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/slow-tests
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/drift ${drift}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/projects/:projectId/tests/:id/continue ${movedTest}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  GET /v1/projects/:projectId/report
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/report-subscription
    401   401        200        200      200      200      outsider  personal   personal  outsider  200      200
  PUT /v1/projects/:projectId/report-subscription ${subscription}
    401   401        read-only  200      200      200      outsider  personal   personal  outsider  200      origin
  DELETE /v1/projects/:projectId/report-subscription ${existingSubscription}
    401   401        read-only  200      200      200      outsider  personal   personal  outsider  200      origin
`

import type { Scenario } from './scenario.ts'
import { type Prepare, table } from './table.ts'
import { makeTestOfRun } from './tests.ts'

const newQuarantine: Prepare = async (scenario) => ({
  body: { test_id: (await makeTestOfRun(scenario)).id, reason: 'Times out' },
})

/** Quarantines a test as the admin of the project, whoever calls. */
async function makeQuarantine(scenario: Scenario): Promise<string> {
  const { server, project } = scenario
  const body = { test_id: (await makeTestOfRun(scenario)).id, reason: 'Times out' }
  const path = `/v1/projects/${project.id}/quarantines`
  const options = { token: project.admin.token, body }
  return (await server.request<{ data: { id: string }[] }>('POST', path, options)).body.data[0]?.id ?? ''
}
const change: Prepare = async (scenario) => ({
  ids: { quarantineId: await makeQuarantine(scenario) },
  body: { reason: 'Still times out' },
})
const end: Prepare = async (scenario) => ({
  ids: { quarantineId: await makeQuarantine(scenario) },
  body: { end_reason: 'Fixed' },
})
const existingTest: Prepare = async (scenario) => ({ ids: await makeTestOfRun(scenario) })

export const quarantines = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/projects/:projectId/quarantines
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/projects/:projectId/quarantines ${newQuarantine}
    401   401        read-only  role     201      201      outsider  personal   personal  outsider  201      origin
  PATCH /v1/projects/:projectId/quarantines/:quarantineId ${change}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  DELETE /v1/projects/:projectId/quarantines/:quarantineId ${end}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  GET /v1/projects/:projectId/tests/:id/stability ${existingTest}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
`

import type { RunTest } from '@caseward/contract/run-tests'
import { insertSignature } from '@caseward/test-support/insight-scenario'
import { makeCiToken, type makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import type { TestServer } from '@caseward/test-support/test-server'

import { type Prepare, table } from './table.ts'

type MadeProject = Pick<Awaited<ReturnType<typeof makeProject>>, 'id' | 'admin'>

let testCount = 0

/** Uploads a test that matches no test case to a run of the project. */
export async function makeTestOfRun({ server, project }: { server: TestServer; project: MadeProject }) {
  testCount += 1
  const run = await makeRun(server, project, { test_case_ids: [] })
  const tests = [{ name: `test ${testCount}`, attempts: [{ status: 'passed' }] }]
  const body = { run_id: run.id, format: 'tests', tests, suite_errors: [{ where: 'a.test.ts', message: 'no' }] }
  const token = await makeCiToken(server, project)
  await server.request('POST', '/v1/results', { token, body })
  const path = `/v1/runs/${run.id}/tests`
  const list = await server.request<{ data: RunTest[] }>('GET', path, { token: project.admin.token })
  return { runId: run.id, id: list.body.data[0]?.id ?? '' }
}

const leftOutTest: Prepare = async (scenario) => {
  const ids = await makeTestOfRun(scenario)
  const path = `/v1/runs/${ids.runId}/tests/${ids.id}/leave-out`
  await scenario.server.request('POST', path, { token: scenario.project.admin.token })
  return { ids }
}
const suiteError: Prepare = async (scenario) => {
  const { runId } = await makeTestOfRun(scenario)
  const path = `/v1/runs/${runId}/suite-errors`
  const { token } = scenario.project.admin
  const { body } = await scenario.server.request<{ data: { id: string }[] }>('GET', path, { token })
  return { ids: { runId, id: body.data[0]?.id ?? '' } }
}
const existingTest: Prepare = async (scenario) => ({ ids: await makeTestOfRun(scenario) })
const failureGroup: Prepare = async ({ server, project }) => ({
  ids: { id: await insertSignature(server.db, project.id) },
})
const newLink: Prepare = async (scenario) => ({
  ids: await makeTestOfRun(scenario),
  body: { test_case_id: (await makeTestCase(scenario.server, scenario.project)).id },
})
const unmatchedTest: Prepare = async (scenario) => ({ body: { test_ids: [(await makeTestOfRun(scenario)).id] } })

export const tests = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/runs/:runId/tests ${existingTest}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/runs/:runId/tests/:id ${existingTest}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/runs/:runId/suite-errors ${existingTest}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/runs/:runId/tests/:id/leave-out ${existingTest}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  POST /v1/runs/:runId/suite-errors/:id/leave-out ${suiteError}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  GET /v1/runs/:runId/left-out ${leftOutTest}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  DELETE /v1/runs/:runId/left-out/:id ${leftOutTest}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  GET /v1/runs/:runId/evaluation ${existingTest}
    401   401        200+       200+     200+     200+     outsider  200+       200+      outsider  200+     200+
  GET /v1/runs/:runId/verdicts ${existingTest}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/runs/:runId/failure-groups ${existingTest}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/failure-groups
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/failure-groups/:id ${failureGroup}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/tests
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/tests/:id ${existingTest}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/tests/:id/outcomes ${existingTest}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  PATCH /v1/projects/:projectId/tests/:id ${newLink}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  POST /v1/projects/:projectId/tests/similar-test-cases ${unmatchedTest}
    401   401        read-only  200=     200=     200=     outsider  read-only  200=      outsider  200=     origin
  POST /v1/projects/:projectId/tests/create-test-cases ${unmatchedTest}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
`

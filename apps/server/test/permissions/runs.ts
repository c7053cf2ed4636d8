import { makeMilestone, makeRun, makeTestCase } from '@caseward/test-support/factories'
import type { Scenario } from './scenario.ts'
import { type Prepare, table } from './table.ts'

/** Creates a run of one test case, whose id is `:id`. */
export async function makeRunOfOneCase({ server, project }: Pick<Scenario, 'server' | 'project'>) {
  const { id } = await makeTestCase(server, project)
  return { id, runId: (await makeRun(server, project, { test_case_ids: [id] })).id }
}

const newRun: Prepare = async ({ server, project }) => ({
  body: { name: 'Nightly', test_case_ids: [(await makeTestCase(server, project)).id] },
})
const existingRun: Prepare = async (scenario) => ({ ids: await makeRunOfOneCase(scenario) })
let keyCount = 0
const newRunKey: Prepare = () => {
  keyCount += 1
  return { body: { name: 'Nightly', run_key: `build ${keyCount}` } }
}
const existingRunKey: Prepare = async ({ server, project }) => {
  keyCount += 1
  const body = { name: 'Nightly', run_key: `build ${keyCount}` }
  await server.request('POST', `/v1/projects/${project.id}/runs`, { token: project.admin.token, body })
  return { body }
}
const shardOfRun: Prepare = async (scenario) => ({ ids: { ...(await makeRunOfOneCase(scenario)), name: '1' } })
const runCompletion: Prepare = async (scenario) => ({ ...(await existingRun(scenario)), body: { status: 'completed' } })
const anotherTestCase: Prepare = async (scenario) => ({
  ids: await makeRunOfOneCase(scenario),
  body: { test_case_ids: [(await makeTestCase(scenario.server, scenario.project)).id] },
})

const rerun: Prepare = async (scenario) => {
  const ids = await makeRunOfOneCase(scenario)
  return { ids, body: { test_case_ids: [ids.id] } }
}

const twoRuns: Prepare = async (scenario) => {
  const { runId } = await makeRunOfOneCase(scenario)
  return { query: `?base=${runId}&head=${runId}` }
}

const removalOfTestCase: Prepare = async (scenario) => {
  const ids = await makeRunOfOneCase(scenario)
  return { ids, body: { test_case_ids: [ids.id] } }
}

export const runs = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/projects/:projectId/runs
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/projects/:projectId/runs ${newRun}
    401   401        read-only  role     201      201      outsider  read-only  201       outsider  201      origin
  POST /v1/projects/:projectId/runs ${newRunKey}
    401   401        read-only  role     201      201      outsider  read-only  201       outsider  201      origin
  POST /v1/projects/:projectId/runs ${existingRunKey}
    401   401        read-only  role     200=     200=     outsider  read-only  200=      outsider  200=     origin
  GET /v1/runs/:runId ${existingRun}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/runs/:runId/export ${existingRun}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/runs/:runId/jobs ${existingRun}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/runs/:runId/events ${existingRun}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  PATCH /v1/runs/:runId ${runCompletion}
    401   401        read-only  role     200      200      outsider  read-only  200       outsider  200      origin
  DELETE /v1/runs/:runId ${existingRun}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  POST /v1/runs/:runId/reruns ${rerun}
    401   401        read-only  role     201      201      outsider  read-only  201       outsider  201      origin
  GET /v1/runs/:runId/lineage ${existingRun}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/runs/:runId/combined-results ${existingRun}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/run-comparison ${twoRuns}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/runs/:runId/test-cases ${anotherTestCase}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  DELETE /v1/runs/:runId/test-cases ${removalOfTestCase}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  POST /v1/runs/:runId/shards/:name/done ${shardOfRun}
    401   401        read-only  role     200      200      outsider  read-only  200       outsider  200      origin
`

const toResultItem = (id: string) => ({ test_case_id: id, status: 'passed' })
const withUnknownItem = (id: string) => [toResultItem(id), toResultItem('WEB-999999')]

const passedResult: Prepare = async (scenario) => ({
  ids: await makeRunOfOneCase(scenario),
  body: { status: 'passed' },
})
const notedResult: Prepare = async (scenario) => ({
  ids: await makeRunOfOneCase(scenario),
  body: { note: 'The page stays empty', steps: [] },
})
const allResults: Prepare = async (scenario) => {
  const ids = await makeRunOfOneCase(scenario)
  return { ids, body: { results: [toResultItem(ids.id)] } }
}
const assignment: Prepare = async (scenario) => {
  const ids = await makeRunOfOneCase(scenario)
  return { ids, body: { result_ids: [ids.id], user_ids: [scenario.project.admin.id] } }
}
const someResults: Prepare = async (scenario) => {
  const ids = await makeRunOfOneCase(scenario)
  return { ids, body: { results: withUnknownItem(ids.id) } }
}

const reportsOf =
  (xml: (id: string) => string): Prepare =>
  async (scenario) => {
    const ids = await makeRunOfOneCase(scenario)
    return { ids, body: { reports: [{ path: 'junit.xml', junit_xml: xml(ids.id) }] } }
  }
const readReports = reportsOf((id) => `<testsuite><testcase name="${id} pays by card"/></testsuite>`)
const unreadReports = reportsOf(() => '<html>')

export const results = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/runs/:runId/results ${existingRun}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/runs/:runId/results/:id ${existingRun}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/runs/:runId/results/:id/changes ${existingRun}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  PUT /v1/runs/:runId/results/:id ${passedResult}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  PATCH /v1/runs/:runId/results/:id ${notedResult}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  POST /v1/runs/:runId/results/bulk ${allResults}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  POST /v1/runs/:runId/results/assign ${assignment}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  POST /v1/runs/:runId/results/bulk ${someResults}
    401   401        read-only  role     207      207      outsider  personal   personal  outsider  207      origin
  POST /v1/runs/:runId/reports ${readReports}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  POST /v1/runs/:runId/reports ${unreadReports}
    401   401        read-only  role     207      207      outsider  personal   personal  outsider  207      origin
`

const upload: Prepare = async (scenario) => {
  const { id, runId } = await makeRunOfOneCase(scenario)
  return { body: { run_id: runId, results: [toResultItem(id)] } }
}
const partialUpload: Prepare = async (scenario) => {
  const { id, runId } = await makeRunOfOneCase(scenario)
  return { body: { run_id: runId, results: withUnknownItem(id) } }
}
const dryRun: Prepare = async (scenario) => {
  const { id, runId } = await makeRunOfOneCase(scenario)
  return { body: { run_id: runId, results: [toResultItem(id)], dry_run: true } }
}
const junitUpload: Prepare = async (scenario) => {
  const { id, runId } = await makeRunOfOneCase(scenario)
  return { body: { run_id: runId, junit_xml: `<testsuite><testcase name="${id} pays"/></testsuite>` } }
}
const xmlUpload: Prepare = async (scenario) => {
  const { id, runId } = await makeRunOfOneCase(scenario)
  return {
    query: `?run_id=${runId}`,
    headers: { 'content-type': 'application/xml' },
    body: `<testsuite><testcase name="${id} pays"/></testsuite>`,
  }
}

export const uploads = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  POST /v1/results ${upload}
    401   401        ci-only    ci-only  ci-only  ci-only  ci-only   read-only  200       404       ci-only  origin
  POST /v1/results ${partialUpload}
    401   401        ci-only    ci-only  ci-only  ci-only  ci-only   read-only  207       404       ci-only  origin
  POST /v1/results ${dryRun}
    401   401        ci-only    ci-only  ci-only  ci-only  ci-only   read-only  200=      404       ci-only  origin
  POST /v1/results ${junitUpload}
    401   401        ci-only    ci-only  ci-only  ci-only  ci-only   read-only  200       404       ci-only  origin
  POST /v1/results ${xmlUpload}
    401   401        ci-only    ci-only  ci-only  ci-only  ci-only   read-only  200       404       ci-only  origin
`

const newMilestone: Prepare = () => ({ body: { name: 'Release 2.0' } })
const existingMilestone: Prepare = async ({ server, project }) => ({
  ids: { id: (await makeMilestone(server, project)).id },
})
const milestoneCompletion: Prepare = async (scenario) => ({
  ...(await existingMilestone(scenario)),
  body: { status: 'completed' },
})

export const milestones = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/projects/:projectId/milestones
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/milestones/:id ${existingMilestone}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/milestones/:id/readiness ${existingMilestone}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/milestones/:id/burn-up ${existingMilestone}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/milestones/:id/blockers ${existingMilestone}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/projects/:projectId/milestones ${newMilestone}
    401   401        read-only  role     201      201      outsider  personal   personal  outsider  201      origin
  PATCH /v1/projects/:projectId/milestones/:id ${milestoneCompletion}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  DELETE /v1/projects/:projectId/milestones/:id ${existingMilestone}
    401   401        read-only  role     204      204      outsider  personal   personal  outsider  204      origin
`

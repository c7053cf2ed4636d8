import { makeProject, makeTestCase } from '@caseward/test-support/factories'
import { type Prepare, table } from './table.ts'

const newTestCase: Prepare = () => ({ body: { title: 'A customer pays by card' } })
const newTestCases: Prepare = () => ({
  body: { test_cases: [{ title: 'Pays by card' }, { title: 'Pays by voucher' }] },
})
const importedRows: Prepare = () => ({ body: { rows: [{ title: 'Pays by card', folder_path: ['Checkout'] }] } })
const existingTestCase: Prepare = async ({ server, project }) => ({
  ids: { id: (await makeTestCase(server, project)).id },
})
const titleChange: Prepare = async (scenario) => ({
  ...(await existingTestCase(scenario)),
  body: { title: 'Pays by voucher' },
})

const versionsOfTestCase: Prepare = async (scenario) => {
  const { server, project } = scenario
  const { ids } = await titleChange(scenario)
  const path = `/v1/projects/${project.id}/test-cases/${ids?.['id']}`
  await server.request('PATCH', path, { token: project.admin.token, body: { title: 'Pays by voucher' } })
  return { ids: { ...ids, version: '1' } }
}
const restoredVersion: Prepare = async (scenario) => ({ ...(await versionsOfTestCase(scenario)), body: {} })

const listedTestCase: Prepare = async ({ server, project }) => ({
  query: `?test_case_ids=${(await makeTestCase(server, project)).id}`,
})

const changeOfMany: Prepare = async ({ server, project }) => ({
  body: { test_case_ids: [(await makeTestCase(server, project)).id], set: { priority: 'high' } },
})
const moveOfMany: Prepare = async ({ server, project }) => ({
  body: { test_case_ids: [(await makeTestCase(server, project)).id], folder_id: null, after: null },
})
const merge: Prepare = async (scenario) => {
  const { server, project } = scenario
  return { ...(await existingTestCase(scenario)), body: { from_ids: [(await makeTestCase(server, project)).id] } }
}
const undoneMerge: Prepare = async ({ server, project }) => {
  const [id, from] = [(await makeTestCase(server, project)).id, (await makeTestCase(server, project)).id]
  const path = `/v1/projects/${project.id}/test-cases/${id}/merge`
  const { token } = project.admin
  const body = { from_ids: [from] }
  const merged = await server.request<{ data: { id: string } }>('POST', path, { token, body })
  return { ids: { id }, body: { merge_id: merged.body.data.id } }
}
const copy: Prepare = async (scenario) => ({ ...(await existingTestCase(scenario)), body: { count: 2 } })
/** Nobody of the callers is a member of the other project. */
const copyElsewhere: Prepare = async (scenario) => ({
  ...(await existingTestCase(scenario)),
  body: { project_id: (await makeProject(scenario.server, { prefix: 'OTHER' })).id },
})
const copyOfMany: Prepare = async ({ server, project }) => ({
  body: { test_case_ids: [(await makeTestCase(server, project)).id] },
})
const deletionOfMany: Prepare = async ({ server, project }) => ({
  body: { test_case_ids: [(await makeTestCase(server, project)).id] },
})

export const testCases = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/projects/:projectId/test-cases
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/test-cases/:id ${existingTestCase}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/test-cases/:id/results ${existingTestCase}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/test-cases/:id/versions ${versionsOfTestCase}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/test-cases/:id/versions/:version ${versionsOfTestCase}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/projects/:projectId/test-cases/:id/versions/:version/restore ${restoredVersion}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  GET /v1/projects/:projectId/tags
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/recent-results ${listedTestCase}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/projects/:projectId/test-cases/similar ${newTestCase}
    401   401        read-only  200=     200=     200=     outsider  read-only  200=      outsider  200=     origin
  GET /v1/projects/:projectId/duplicates
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/projects/:projectId/test-cases/:id/merge ${merge}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  POST /v1/projects/:projectId/test-cases/:id/merge/undo ${undoneMerge}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  POST /v1/projects/:projectId/test-cases ${newTestCase}
    401   401        read-only  role     201      201      outsider  personal   personal  outsider  201      origin
  POST /v1/projects/:projectId/test-cases/bulk ${newTestCases}
    401   401        read-only  role     201      201      outsider  personal   personal  outsider  201      origin
  POST /v1/projects/:projectId/test-cases/bulk-update ${changeOfMany}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  POST /v1/projects/:projectId/test-cases/move ${moveOfMany}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  POST /v1/projects/:projectId/test-cases/import ${importedRows}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  POST /v1/projects/:projectId/test-cases/bulk-delete ${deletionOfMany}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  POST /v1/projects/:projectId/test-cases/:id/copies ${copy}
    401   401        read-only  role     201      201      outsider  personal   personal  outsider  201      origin
  POST /v1/projects/:projectId/test-cases/:id/copies ${copyElsewhere}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
  POST /v1/projects/:projectId/test-cases/bulk-copy ${copyOfMany}
    401   401        read-only  role     201      201      outsider  personal   personal  outsider  201      origin
  PATCH /v1/projects/:projectId/test-cases/:id ${titleChange}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  PUT /v1/projects/:projectId/test-cases/:id ${titleChange}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  DELETE /v1/projects/:projectId/test-cases/:id ${existingTestCase}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
`

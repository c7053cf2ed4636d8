import { makeTestCase } from '@caseward/test-support/factories'
import { makeSharedStep } from '@caseward/test-support/shared-step-scenario'

import { type Prepare, table } from './table.ts'

let count = 0
const title = () => `Sign in ${(count += 1)}`
const steps = [{ action: 'Sign in' }]

const newSharedStep: Prepare = () => ({ body: { title: title(), steps } })
/** A shared step that a test case uses. */
const existing: Prepare = async ({ server, project }) => {
  const { id } = await makeSharedStep(server, project, { title: title(), steps })
  return { ids: { id } }
}
const newTitle: Prepare = async (scenario) => ({
  ...(await existing(scenario)),
  body: { title: title(), apply_to: 'all' },
})
const detached: Prepare = async (scenario) => {
  const { server, project } = scenario
  const { ids } = await existing(scenario)
  const used = { steps: [{ shared_step_id: ids?.['id'] ?? '' }] }
  const { token } = project.admin
  const { id } = await makeTestCase(server, project)
  await server.request('PATCH', `/v1/projects/${project.id}/test-cases/${id}`, { token, body: used })
  return { ...(ids && { ids }), body: { test_case_ids: [id] } }
}

export const sharedSteps = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/projects/:projectId/shared-steps
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/projects/:projectId/shared-steps ${newSharedStep}
    401   401        read-only  role     201      201      outsider  personal   personal  outsider  201      origin
  GET /v1/projects/:projectId/shared-steps/:id ${existing}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/shared-steps/:id/uses ${existing}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/shared-steps/:id/usage ${existing}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/shared-steps/:id/versions ${existing}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  PATCH /v1/projects/:projectId/shared-steps/:id ${newTitle}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  POST /v1/projects/:projectId/shared-steps/:id/detach ${detached}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  DELETE /v1/projects/:projectId/shared-steps/:id ${existing}
    401   401        read-only  role     204      204      outsider  personal   personal  outsider  204      origin
`

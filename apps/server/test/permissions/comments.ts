import { makeTestCase } from '@caseward/test-support/factories'

import { makeRunOfOneCase } from './runs.ts'
import type { Scenario } from './scenario.ts'
import { type Prepare, table } from './table.ts'

const body = { body: 'It fails with the new form.' }

const existingTestCase: Prepare = async ({ server, project }) => ({
  ids: { id: (await makeTestCase(server, project)).id },
})
const onTestCase: Prepare = async (scenario) => ({ ...(await existingTestCase(scenario)), body })
const existingResult: Prepare = async (scenario) => ({ ids: await makeRunOfOneCase(scenario) })
const onResult: Prepare = async (scenario) => ({ ...(await existingResult(scenario)), body })

/** Writes a comment on a run, as the caller if it may, and else as an admin. */
async function comment(scenario: Scenario, callers: readonly Record<string, string>[]): Promise<string> {
  const { runId } = await makeRunOfOneCase(scenario)
  for (const headers of callers) {
    const options = { headers, body }
    const { status, body: sent } = await scenario.server.request<{ data: { id: string } }>(
      'POST',
      `/v1/runs/${runId}/comments`,
      options,
    )
    if (status === 201) return sent.data.id
  }
  throw new Error('Nobody may write comments')
}
const getAdminHeaders = ({ project }: Scenario) => ({ authorization: `Bearer ${project.admin.token}` })
const ownComment: Prepare = async (scenario) => ({
  ids: { id: await comment(scenario, [scenario.caller.headers, getAdminHeaders(scenario)]) },
})
const newText: Prepare = async (scenario) => ({ ...(await ownComment(scenario)), body: { body: 'It works now.' } })
const commentOfAdmin: Prepare = async (scenario) => ({
  ids: { id: await comment(scenario, [getAdminHeaders(scenario)]) },
})

export const comments = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/projects/:projectId/test-cases/:id/comments ${existingTestCase}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/projects/:projectId/test-cases/:id/comments ${onTestCase}
    401   401        read-only  role     201      201      outsider  personal   personal  outsider  201      origin
  GET /v1/runs/:runId/comments ${existingResult}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/runs/:runId/comments ${onResult}
    401   401        read-only  role     201      201      outsider  personal   personal  outsider  201      origin
  GET /v1/runs/:runId/results/:id/comments ${existingResult}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/runs/:runId/results/:id/comments ${onResult}
    401   401        read-only  role     201      201      outsider  personal   personal  outsider  201      origin
  PATCH /v1/projects/:projectId/comments/:id ${newText}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  DELETE /v1/projects/:projectId/comments/:id ${ownComment}
    401   401        read-only  role     204      204      outsider  personal   personal  outsider  204      origin
  GET /v1/projects/:projectId/comments/:id/versions ${commentOfAdmin}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/test-cases/:id/activity ${existingTestCase}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/runs/:runId/activity ${existingResult}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/runs/:runId/results/:id/activity ${existingResult}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
`

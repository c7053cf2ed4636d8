import { declare } from '@caseward/test-support/declared-files'
import { makeCiToken, makeProject, makeTestCase } from '@caseward/test-support/factories'

import type { CompleteAttachment } from '../../src/features/files/sample-files.test.helper.ts'
import { makeRunOfOneCase } from './runs.ts'
import type { Scenario } from './scenario.ts'
import { type Prepare, table } from './table.ts'

let fileCount = 0
const newFile = () => {
  fileCount += 1
  return { query: '?name=log.txt', body: Buffer.from(`file ${fileCount}`) }
}

const fileOfRun: Prepare = async (scenario) => ({ ids: await makeRunOfOneCase(scenario), ...newFile() })
const fileOfTestCase: Prepare = async ({ server, project }) => ({
  ids: { id: (await makeTestCase(server, project)).id },
  ...newFile(),
})
const existingRun: Prepare = async (scenario) => ({ ids: await makeRunOfOneCase(scenario) })
const existingTestCase: Prepare = async ({ server, project }) => ({
  ids: { id: (await makeTestCase(server, project)).id },
})

/** Attaches a file to a run, as the caller who will change it. */
async function attach({ server, project, caller }: Scenario) {
  const { runId } = await makeRunOfOneCase({ server, project })
  const { query, body } = newFile()
  const path = `/v1/runs/${runId}/attachments${query}`
  const { status, body: sent } = await server.request<{ data: CompleteAttachment }>('POST', path, {
    headers: caller.headers,
    body,
  })
  if (status !== 201) throw new Error(JSON.stringify(sent))
  return sent.data
}
const ownAttachment: Prepare = async (scenario) => ({ ids: { id: (await attach(scenario)).id } })
const newName: Prepare = async (scenario) => ({ ...(await ownAttachment(scenario)), body: { name: 'other.txt' } })

/** A content that no row has used, in a new project, for instance administrators. */
export const storedContent: Prepare = async ({ server }) => {
  const { id, admin } = await makeProject(server)
  const testCase = await makeTestCase(server, { id, admin })
  const { query, body } = newFile()
  const path = `/v1/projects/${id}/test-cases/${testCase.id}/attachments${query}`
  const { body: sent } = await server.request<{ data: CompleteAttachment }>('POST', path, { token: admin.token, body })
  return { ids: { sha256: sent.data.sha256 } }
}
const existingFile: Prepare = async (scenario) => ({ ids: { id: (await attach(scenario)).file_id } })

let declaredCount = 0
/** Declares a content at a result of a new run. */
const declaredFile: Prepare = async ({ server, project }) => {
  const ids = await makeRunOfOneCase({ server, project })
  declaredCount += 1
  const content = `declared ${declaredCount}`
  const file = declare('a.txt', content)
  const body = { run_id: ids.runId, results: [{ test_case_id: ids.id, status: 'failed', attachments: [file] }] }
  await server.request('POST', '/v1/results', { token: await makeCiToken(server, project), body })
  return { ids: { ...ids, sha256: file.sha256 }, body: Buffer.from(content) }
}
const declaredOnly: Prepare = async (scenario) => ({ ids: (await declaredFile(scenario)).ids ?? {} })
const newUpload: Prepare = () => ({ body: { byte_count: 4 } })
const existingUpload: Prepare = async ({ server, project }) => {
  const path = `/v1/projects/${project.id}/file-uploads`
  const options = { token: project.admin.token, body: { byte_count: 4 } }
  const { body } = await server.request<{ data: { id: string } }>('POST', path, options)
  return { ids: { id: body.data.id } }
}
const wholePart: Prepare = async (scenario) => ({
  ...(await existingUpload(scenario)),
  body: Buffer.from('part'),
  headers: { 'content-range': 'bytes 0-3/4' },
})

export const attachments = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  POST /v1/runs/:runId/attachments ${fileOfRun}
    401   401        read-only  role     201      201      outsider  read-only  201       outsider  201      origin
  GET /v1/runs/:runId/attachments ${existingRun}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/runs/:runId/results/:id/attachments ${fileOfRun}
    401   401        read-only  role     201      201      outsider  read-only  201       outsider  201      origin
  GET /v1/runs/:runId/results/:id/attachments ${existingRun}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/projects/:projectId/test-cases/:id/attachments ${fileOfTestCase}
    401   401        read-only  role     201      201      outsider  personal   personal  outsider  201      origin
  GET /v1/projects/:projectId/test-cases/:id/attachments ${existingTestCase}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/attachments/:id ${ownAttachment}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  PATCH /v1/projects/:projectId/attachments/:id ${newName}
    401   401        read-only  role     200      200      outsider  read-only  200       outsider  200      origin
  DELETE /v1/projects/:projectId/attachments/:id ${ownAttachment}
    401   401        read-only  role     204      204      outsider  read-only  204       outsider  204      origin
  GET /v1/projects/:projectId/files/:id/content ${existingFile}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  PUT /v1/runs/:runId/files/:sha256 ${declaredFile}
    401   401        read-only  role     201      201      outsider  read-only  201       outsider  201      origin
  HEAD /v1/runs/:runId/files/:sha256 ${declaredOnly}
    401   401        200        role     200      200      outsider  read-only  200       outsider  200      200
  GET /v1/runs/:runId/files/missing ${existingRun}
    401   401        200        role     200      200      outsider  read-only  200       outsider  200      200
  POST /v1/projects/:projectId/file-uploads ${newUpload}
    401   401        read-only  role     201      201      outsider  read-only  201       outsider  201      origin
  PUT /v1/projects/:projectId/file-uploads/:id ${wholePart}
    401   401        read-only  role     201      201      outsider  read-only  201       outsider  201      origin
  HEAD /v1/projects/:projectId/file-uploads/:id ${existingUpload}
    401   401        200        role     200      200      outsider  read-only  200       outsider  200      200
  DELETE /v1/projects/:projectId/file-uploads/:id ${existingUpload}
    401   401        read-only  role     204      204      outsider  read-only  204       outsider  204      origin
  GET /v1/projects/:projectId/files/:id/text ${existingFile}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
`

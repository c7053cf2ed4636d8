import { insertToken } from '../../src/features/tokens/tokens.queries.ts'
import { makeConfigurations, makeField, makeFolder, makeProject, makeTestCase } from '@caseward/test-support/factories'
import { type Prepare, table } from './table.ts'
import { offeredField } from './instance.ts'

const newProject: Prepare = () => ({ body: { name: 'Web shop', prefix: 'WEB' } })
const nameChange: Prepare = () => ({ body: { name: 'Web shop 2' } })
const noGroupRoles: Prepare = () => ({ body: { group_roles: [] } })
const newToken: Prepare = () => ({ body: { name: 'GitHub Actions' } })
const existingCiToken: Prepare = async ({ server, project }) => {
  const input = { name: 'CI', access: 'write', expiresAt: null, createdBy: null } as const
  return { ids: { id: (await insertToken(server.db, { kind: 'ci', projectId: project.id }, input)).id } }
}

let minutes = 30
const otherTemplate: Prepare = async ({ server, project }) => {
  await server.db.updateTable('projects').set({ default_template: 'steps' }).where('id', '=', project.id).execute()
  return { body: { default_template: 'text' } }
}

const quietTime: Prepare = () => {
  minutes += 1
  return { body: { complete_after_minutes: minutes } }
}

let branchCount = 0
const otherBranch: Prepare = () => {
  branchCount += 1
  return { body: { default_branch: `branch ${branchCount}` } }
}

const keptCiToken: Prepare = async ({ server, project }) => {
  const input = { name: 'CI', access: 'write', expiresAt: null, createdBy: project.admin.id } as const
  const { id } = await insertToken(server.db, { kind: 'ci', projectId: project.id }, input)
  await server.db.updateTable('api_tokens').set({ review_since: new Date() }).where('id', '=', id).execute()
  return { ids: { id }, body: { needs_review: false } }
}

export const projects = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/projects
    401   401        200        200      200      200      200       200        200       200       200      200
  POST /v1/projects ${newProject}
    401   401        read-only  201      201      201      201       personal   personal  personal  201      origin
  POST /v1/projects/demo
    401   401        read-only  201      201      201      201       personal   personal  personal  201      origin
  GET /v1/projects/:projectId/export
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  PATCH /v1/projects/:projectId ${nameChange}
    401   401        read-only  role     role     200      outsider  personal   personal  outsider  role     origin
  GET /v1/projects/:projectId/storage
    401   401        200        role     role     200      outsider  personal   personal  outsider  role     role
  GET /v1/projects/:projectId/run-settings
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  PATCH /v1/projects/:projectId/run-settings ${quietTime}
    401   401        read-only  role     role     200      outsider  personal   personal  outsider  role     origin
  GET /v1/projects/:projectId/insight-settings
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  PATCH /v1/projects/:projectId/insight-settings ${otherBranch}
    401   401        read-only  role     role     200      outsider  personal   personal  outsider  role     origin
  GET /v1/projects/:projectId/case-settings
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  PATCH /v1/projects/:projectId/case-settings ${otherTemplate}
    401   401        read-only  role     role     200      outsider  personal   personal  outsider  role     origin
  DELETE /v1/projects/:projectId
    401   401        read-only  role     role     200      outsider  personal   personal  outsider  role     origin
  GET /v1/projects/:projectId/audit-log
    401   401        200        role     role     200      outsider  personal   personal  outsider  role     role
  GET /v1/projects/:projectId/events
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/people
    401   401        200        200      200      200      outsider  personal   personal  outsider  200      200
  GET /v1/projects/:projectId/group-roles
    401   401        200        role     role     200      outsider  personal   personal  outsider  role     role
  PUT /v1/projects/:projectId/group-roles ${noGroupRoles}
    401   401        read-only  role     role     200      outsider  personal   personal  outsider  role     origin
  GET /v1/projects/:projectId/activity
    401   401        200        200      200      200      outsider  personal   personal  outsider  200      200
  GET /v1/projects/:projectId/unstable-test-cases
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  GET /v1/projects/:projectId/tokens
    401   401        200        role     role     200      outsider  personal   personal  outsider  role     role
  POST /v1/projects/:projectId/tokens ${newToken}
    401   401        read-only  role     role     201      outsider  personal   personal  outsider  role     origin
  PATCH /v1/projects/:projectId/tokens/:id ${keptCiToken}
    401   401        read-only  role     role     200      outsider  personal   personal  outsider  role     origin
  DELETE /v1/projects/:projectId/tokens/:id ${existingCiToken}
    401   401        read-only  role     role     204      outsider  personal   personal  outsider  role     origin
`

const newFolder: Prepare = () => ({ body: { name: 'Checkout' } })
const existingFolder: Prepare = async ({ server, project }) => ({ ids: { id: (await makeFolder(server, project)).id } })
const folderRename: Prepare = async (scenario) => ({ ...(await existingFolder(scenario)), body: { name: 'Payment' } })

export const folders = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/projects/:projectId/folders
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/projects/:projectId/folders ${newFolder}
    401   401        read-only  role     201      201      outsider  personal   personal  outsider  201      origin
  PATCH /v1/projects/:projectId/folders/:id ${folderRename}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  DELETE /v1/projects/:projectId/folders/:id ${existingFolder}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
`

let fieldCount = 0
const newField: Prepare = () => {
  fieldCount += 1
  return { body: { key: `field_${fieldCount}`, name: 'Risk', type: 'number' } }
}
const existingField: Prepare = async ({ server, project }) => {
  fieldCount += 1
  // A project has only 30 in use.
  await server.db
    .updateTable('custom_fields')
    .set({ retired_at: new Date() })
    .where('project_id', '=', project.id)
    .execute()
  return { ids: { id: (await makeField(server, project, { key: `field_${fieldCount}` })).id } }
}
const retiredField: Prepare = async (scenario) => {
  const { server, project } = scenario
  const prepared = await existingField(scenario)
  const path = `/v1/projects/${project.id}/fields/${prepared.ids?.['id']}/retire`
  await server.request('POST', path, { token: project.admin.token })
  return prepared
}
const twoOptions: Prepare = async ({ server, project }) => {
  fieldCount += 1
  await server.db
    .updateTable('custom_fields')
    .set({ retired_at: new Date() })
    .where('project_id', '=', project.id)
    .execute()
  const options = ['low', 'minor'].map((key) => ({ key, label: key }))
  const { id } = await makeField(server, project, { key: `field_${fieldCount}`, type: 'select', options })
  return { ids: { id }, body: { from: 'low', into: 'minor' } }
}
const newNameOfField: Prepare = async (scenario) => ({ ...(await existingField(scenario)), body: { name: 'Chance' } })

export const fields = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/projects/:projectId/fields
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/projects/:projectId/fields ${newField}
    401   401        read-only  role     role     201      outsider  personal   personal  outsider  role     origin
  PATCH /v1/projects/:projectId/fields/:id ${newNameOfField}
    401   401        read-only  role     role     200      outsider  personal   personal  outsider  role     origin
  POST /v1/projects/:projectId/fields/:id/options/merge ${twoOptions}
    401   401        read-only  role     role     200      outsider  personal   personal  outsider  role     origin
  POST /v1/projects/:projectId/fields/:id/retire ${existingField}
    401   401        read-only  role     role     200      outsider  personal   personal  outsider  role     origin
  POST /v1/projects/:projectId/fields/:id/restore ${retiredField}
    401   401        read-only  role     role     200      outsider  personal   personal  outsider  role     origin
  DELETE /v1/projects/:projectId/fields/:id ${retiredField}
    401   401        read-only  role     role     204      outsider  personal   personal  outsider  role     origin
  GET /v1/projects/:projectId/instance-fields
    401   401        200        role     role     200      outsider  personal   personal  outsider  role     role
  PUT /v1/projects/:projectId/instance-fields/:id ${offeredField}
    401   401        read-only  role     role     200      outsider  personal   personal  outsider  role     origin
`

let configurationCount = 0
const newConfiguration: Prepare = () => {
  configurationCount += 1
  const name = `c${configurationCount}`
  return { body: { group_key: name, group_name: name, key: 'chrome', name: 'Chrome' } }
}
const existingConfiguration: Prepare = async ({ server, project }) => {
  configurationCount += 1
  // A project has only 20 groups in use.
  await server.db
    .updateTable('configurations')
    .set({ retired_at: new Date() })
    .where('project_id', '=', project.id)
    .execute()
  const [made] = await makeConfigurations(server, project, { [`c${configurationCount}`]: ['chrome'] })
  return { ids: { id: made?.id ?? '' } }
}
const newNameOfConfiguration: Prepare = async (scenario) => ({
  ...(await existingConfiguration(scenario)),
  body: { name: 'Edge' },
})

export const configurations = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/projects/:projectId/configurations
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/projects/:projectId/configurations ${newConfiguration}
    401   401        read-only  role     role     201      outsider  personal   personal  outsider  role     origin
  PATCH /v1/projects/:projectId/configurations/:id ${newNameOfConfiguration}
    401   401        read-only  role     role     200      outsider  personal   personal  outsider  role     origin
  DELETE /v1/projects/:projectId/configurations/:id ${existingConfiguration}
    401   401        read-only  role     role     204      outsider  personal   personal  outsider  role     origin
`

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

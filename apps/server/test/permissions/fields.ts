import { makeConfigurations, makeField } from '@caseward/test-support/factories'
import { type Prepare, table } from './table.ts'
import { offeredField } from './instance.ts'

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

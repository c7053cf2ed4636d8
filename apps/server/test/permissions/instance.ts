import { insertSession } from '../../src/features/auth/session/session.queries.ts'
import { makeUser } from '@caseward/test-support/users'
import { storedContent } from './attachments.ts'
import { makeInstanceConfigurations, makeInstanceField } from '@caseward/test-support/factories'
import { type Prepare, instanceTable } from './table.ts'

/** A user with a personal token and a session. */
const existingUser: Prepare = async ({ server }) => {
  const { id } = await makeUser(server)
  await insertSession(server.db, id, 'Test browser')
  return { ids: { id } }
}
const disabling: Prepare = async (scenario) => ({ ...(await existingUser(scenario)), body: { disabled: true } })
const granting: Prepare = async (scenario) => ({ ...(await existingUser(scenario)), body: { is_instance_admin: true } })
/** Ends a restriction, so that the callers of the next row can create projects. */
const settingsChange: Prepare = async ({ server: { db } }) => {
  await db.updateTable('instance_settings').set({ project_creation: 'instance_admins' }).execute()
  return { body: { project_creation: 'everyone' } }
}
const unknownUser = () => ({ ids: { id: '01a1fc2b-5f29-7584-9e03-d27674921b66' } })
const disablingUnknown = () => ({ ...unknownUser(), body: { disabled: true } })

let fieldCount = 0
const newField: Prepare = () => {
  fieldCount += 1
  return { body: { key: `org_${fieldCount}`, name: 'Risk', type: 'number' } }
}
const existingField: Prepare = async ({ server }) => {
  fieldCount += 1
  // The instance has only 30 in use.
  await server.db.updateTable('custom_fields').set({ retired_at: new Date() }).where('project_id', 'is', null).execute()
  return { ids: { id: (await makeInstanceField(server, { key: `org_${fieldCount}` })).id } }
}
const retiredField: Prepare = async (scenario) => {
  const made = await existingField(scenario)
  const { db } = scenario.server
  await db.updateTable('custom_fields').set({ retired_at: new Date() }).where('project_id', 'is', null).execute()
  return made
}
const newNameOfField: Prepare = async (scenario) => ({ ...(await existingField(scenario)), body: { name: 'Chance' } })
const newNameOfUnknown: Prepare = () => ({ ...unknownUser(), body: { name: 'Chance' } })
export const offeredField: Prepare = async (scenario) => ({
  ...(await existingField(scenario)),
  body: { is_used: true },
})

let configurationCount = 0
const newConfiguration: Prepare = () => {
  configurationCount += 1
  const key = `org_${configurationCount}`
  return { body: { group_key: key, group_name: key, key: 'chrome', name: 'Chrome' } }
}
const existingConfiguration: Prepare = async ({ server }) => {
  configurationCount += 1
  // The instance has only 20 groups in use.
  await server.db
    .updateTable('configurations')
    .set({ retired_at: new Date() })
    .where('project_id', 'is', null)
    .execute()
  const [made] = await makeInstanceConfigurations(server, { [`org_${configurationCount}`]: ['chrome'] })
  return { ids: { id: made?.id ?? '' } }
}
const newNameOfConfiguration: Prepare = async (scenario) => ({
  ...(await existingConfiguration(scenario)),
  body: { name: 'Edge' },
})
const newNameOfUnknownConfiguration: Prepare = () => ({ ...unknownUser(), body: { name: 'Edge' } })

export const instance = instanceTable`
    none  bad-token  user      ci        instance-read  instance-admin  cross-site
  GET /v1/admin/users
    401   401        instance  personal  200            200             200
  PATCH /v1/admin/users/:id ${disabling}
    401   401        instance  personal  read-only      200             origin
  PATCH /v1/admin/users/:id ${granting}
    401   401        instance  personal  read-only      200             origin
  PATCH /v1/admin/users/:id ${disablingUnknown}
    401   401        instance  personal  read-only      404             origin
  DELETE /v1/admin/users/:id ${existingUser}
    401   401        instance  personal  read-only      204             origin
  DELETE /v1/admin/users/:id ${unknownUser}
    401   401        instance  personal  read-only      404             origin
  DELETE /v1/admin/users/:id/sessions ${existingUser}
    401   401        instance  personal  read-only      204             origin
  DELETE /v1/admin/users/:id/sessions ${unknownUser}
    401   401        instance  personal  read-only      404             origin
  DELETE /v1/admin/users/:id/tokens ${existingUser}
    401   401        instance  personal  read-only      204             origin
  DELETE /v1/admin/users/:id/tokens ${unknownUser}
    401   401        instance  personal  read-only      404             origin
  DELETE /v1/admin/users/:id/second-factors ${existingUser}
    401   401        instance  personal  read-only      204             origin
  DELETE /v1/admin/users/:id/second-factors ${unknownUser}
    401   401        instance  personal  read-only      404             origin
  GET /v1/admin/settings
    401   401        instance  personal  200            200             200
  PATCH /v1/admin/settings ${settingsChange}
    401   401        instance  personal  read-only      200             origin
  GET /v1/admin/fields
    401   401        instance  personal  200            200             200
  POST /v1/admin/fields ${newField}
    401   401        instance  personal  read-only      201             origin
  PATCH /v1/admin/fields/:id ${newNameOfField}
    401   401        instance  personal  read-only      200             origin
  PATCH /v1/admin/fields/:id ${newNameOfUnknown}
    401   401        instance  personal  read-only      404             origin
  POST /v1/admin/fields/:id/retire ${existingField}
    401   401        instance  personal  read-only      200             origin
  POST /v1/admin/fields/:id/retire ${unknownUser}
    401   401        instance  personal  read-only      404             origin
  POST /v1/admin/fields/:id/restore ${retiredField}
    401   401        instance  personal  read-only      200             origin
  POST /v1/admin/fields/:id/restore ${unknownUser}
    401   401        instance  personal  read-only      404             origin
  DELETE /v1/admin/fields/:id ${retiredField}
    401   401        instance  personal  read-only      204             origin
  DELETE /v1/admin/fields/:id ${unknownUser}
    401   401        instance  personal  read-only      404             origin
  GET /v1/admin/configurations
    401   401        instance  personal  200            200             200
  POST /v1/admin/configurations ${newConfiguration}
    401   401        instance  personal  read-only      201             origin
  PATCH /v1/admin/configurations/:id ${newNameOfConfiguration}
    401   401        instance  personal  read-only      200             origin
  PATCH /v1/admin/configurations/:id ${newNameOfUnknownConfiguration}
    401   401        instance  personal  read-only      404             origin
  DELETE /v1/admin/configurations/:id ${existingConfiguration}
    401   401        instance  personal  read-only      204             origin
  DELETE /v1/admin/configurations/:id ${unknownUser}
    401   401        instance  personal  read-only      404             origin
  GET /v1/admin/storage
    401   401        instance  personal  200            200             200
  DELETE /v1/admin/files/:sha256 ${storedContent}
    401   401        instance  personal  read-only      200             origin
  GET /v1/admin/audit-log
    401   401        instance  personal  200            200             200
`

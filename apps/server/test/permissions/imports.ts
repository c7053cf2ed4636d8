import { makeTestCase } from '@caseward/test-support/factories'
import { insertImport, insertImportedPerson, uploadFile, waitForImports } from '@caseward/test-support/import-scenario'

import { sql } from 'kysely'

import type { Scenario } from './scenario.ts'
import { type Prepare, table } from './table.ts'

const newImport: Prepare = async ({ server, project }) => ({
  body: { file_id: await uploadFile(server, project, 'Title,Steps\nPays,Pay\n'), name: 'cases.csv' },
})

/** Only one import writes at a time: the one of the caller before must have ended. */
const inState =
  (state: string, failedState: string | null = null) =>
  async ({ server, project }: Scenario) => {
    await waitForImports(server)
    return await insertImport(server, project.id, { state, failedState })
  }
const planned: Prepare = async (scenario) => ({ ids: { id: (await inState('planned')(scenario)).id } })
const replanned: Prepare = async (scenario) => ({ ...(await planned(scenario)), body: { deprecated: 'keep' } })
const applied: Prepare = async (scenario) => {
  const { id, plan } = await inState('planned')(scenario)
  return { ids: { id }, body: { plan } }
}
const working: Prepare = async (scenario) => ({ ids: { id: (await inState('reading')(scenario)).id } })
const cancelled: Prepare = async (scenario) => ({ ids: { id: (await inState('cancelled', 'planning')(scenario)).id } })
const done: Prepare = async (scenario) => ({ ids: { id: (await inState('done')(scenario)).id } })
/** A test case that was changed here and in the source, and is gone by now. */
const decided: Prepare = async (scenario) => {
  const { id } = await inState('done')(scenario)
  const waiting = {
    source_key: 'C1',
    folder_id: null,
    owner_id: null,
    automation_keys: [],
    fields: {},
    details: {},
    own: null,
  }
  await sql`
    insert into import_records (project_id, import_id, seq, kind, key, title, record, action, losses, planned, target, is_done)
    values (${scenario.project.id}, ${id}, 1, 'case', 'C1', 'Pays', '{}', 'conflict', '{conflict_kept}',
      ${JSON.stringify(waiting)}::json, '999999', true)`.execute(scenario.server.db)
  return { ids: { id }, body: { use: 'source' } }
}
const existingTestCase: Prepare = async ({ server, project }) => ({
  ids: { id: (await makeTestCase(server, project)).id },
})

const importedPerson: Prepare = async ({ server, project }) => ({ ids: await insertImportedPerson(server, project.id) })
const joined: Prepare = async (scenario) => ({
  ...(await importedPerson(scenario)),
  body: { user_id: scenario.project.admin.id },
})

export const imports = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/projects/:projectId/imported-people
    401   401        200        200      200      200      outsider  personal   personal  outsider  200      200
  PATCH /v1/projects/:projectId/imported-people/:id ${joined}
    401   401        read-only  role     role     200      outsider  personal   personal  outsider  role     origin
  DELETE /v1/projects/:projectId/imported-people/:id ${importedPerson}
    401   401        read-only  role     role     204      outsider  personal   personal  outsider  role     origin
  GET /v1/projects/:projectId/imports
    401   401        200        role     200      200      outsider  personal   personal  outsider  200      200
  POST /v1/projects/:projectId/imports ${newImport}
    401   401        read-only  role     201      201      outsider  personal   personal  outsider  201      origin
  GET /v1/projects/:projectId/imports/:id ${planned}
    401   401        200        role     200      200      outsider  personal   personal  outsider  200      200
  GET /v1/projects/:projectId/imports/:id/records ${planned}
    401   401        200        role     200      200      outsider  personal   personal  outsider  200      200
  POST /v1/projects/:projectId/imports/:id/plan ${replanned}
    401   401        read-only  role     202      202      outsider  personal   personal  outsider  202      origin
  POST /v1/projects/:projectId/imports/:id/apply ${applied}
    401   401        read-only  role     202      202      outsider  personal   personal  outsider  202      origin
  POST /v1/projects/:projectId/imports/:id/cancel ${working}
    401   401        read-only  role     202      202      outsider  personal   personal  outsider  202      origin
  POST /v1/projects/:projectId/imports/:id/resume ${cancelled}
    401   401        read-only  role     202      202      outsider  personal   personal  outsider  202      origin
  GET /v1/projects/:projectId/imports/:id/report ${done}
    401   401        200        role     200      200      outsider  personal   personal  outsider  200      200
  POST /v1/projects/:projectId/imports/:id/conflicts ${decided}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  POST /v1/projects/:projectId/imports/:id/undo ${done}
    401   401        read-only  role     role     202      outsider  personal   personal  outsider  role     origin
  DELETE /v1/projects/:projectId/imports/:id ${done}
    401   401        read-only  role     204      204      outsider  personal   personal  outsider  204      origin
  GET /v1/projects/:projectId/test-cases/:id/source ${existingTestCase}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
`

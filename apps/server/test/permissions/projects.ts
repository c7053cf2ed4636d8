import { DEMO_NAME } from '../../src/features/demo/create-demo.ts'
import { insertToken } from '../../src/features/tokens/tokens.queries.ts'
import { makeFolder } from '@caseward/test-support/factories'
import { type Prepare, table } from './table.ts'

const newProject: Prepare = () => ({ body: { name: 'Web shop', prefix: 'WEB' } })
/** The members of the project have a demo by then, which takes seconds to create; those without it create one. */
const existingDemo: Prepare = async ({ server, project }) => {
  await server.db.updateTable('projects').set({ name: DEMO_NAME }).where('id', '=', project.id).execute()
  return {}
}
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
  POST /v1/projects/demo ${existingDemo}
    401   401        read-only  demo     demo     demo     201       personal   personal  personal  demo     origin
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

import type { Scenario } from './scenario.ts'
import { type Prepare, table } from './table.ts'

const newView: Prepare = () => ({ body: { page: 'cases', name: 'Smoke', query: 'tag=smoke' } })
const newSharedView: Prepare = () => ({ body: { page: 'cases', name: 'Smoke', query: 'tag=smoke', is_shared: true } })

/** Creates a shared view as the admin of the project, whoever calls. */
async function makeSharedView({ server, project }: Scenario): Promise<string> {
  const options = { token: project.admin.token, body: { page: 'cases', name: 'All', query: '', is_shared: true } }
  const path = `/v1/projects/${project.id}/views`
  return (await server.request<{ data: { id: string } }>('POST', path, options)).body.data.id
}
const sharedView: Prepare = async (scenario) => ({ ids: { viewId: await makeSharedView(scenario) } })
const changedView: Prepare = async (scenario) => ({ ...(await sharedView(scenario)), body: { name: 'Changed' } })
const defaultView: Prepare = async (scenario) => ({ body: { page: 'cases', view_id: await makeSharedView(scenario) } })

export const views = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/projects/:projectId/views
    401   401        200        200      200      200      outsider  personal   personal  outsider  200      200
  POST /v1/projects/:projectId/views ${newView}
    401   401        read-only  201      201      201      outsider  personal   personal  outsider  201      origin
  POST /v1/projects/:projectId/views ${newSharedView}
    401   401        read-only  role     201      201      outsider  personal   personal  outsider  201      origin
  PATCH /v1/projects/:projectId/views/:viewId ${changedView}
    401   401        read-only  not-yours not-yours 200     outsider  personal   personal  outsider  not-yours origin
  DELETE /v1/projects/:projectId/views/:viewId ${sharedView}
    401   401        read-only  not-yours not-yours 204     outsider  personal   personal  outsider  not-yours origin
  PUT /v1/projects/:projectId/views/default ${defaultView}
    401   401        read-only  200      200      200      outsider  personal   personal  outsider  200      origin
`

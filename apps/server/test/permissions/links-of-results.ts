import { makeTestCase } from '@caseward/test-support/factories'
import { makeRunOfOneCase } from './runs.ts'
import type { Scenario } from './scenario.ts'
import { type Prepare, table } from './table.ts'

const body = { url: 'https://acme.atlassian.net/browse/SHOP-41' }

async function addLink({ server, project }: Scenario, path: string): Promise<string> {
  const { token } = project.admin
  return (await server.request<{ data: { id: string } }>('POST', path, { token, body })).body.data.id
}

const ofTestCase: Prepare = async ({ server, project }) => ({
  ids: { id: (await makeTestCase(server, project)).id },
  body,
})
const linkOfTestCase: Prepare = async (scenario) => {
  const { server, project } = scenario
  const { id } = await makeTestCase(server, project)
  return { ids: { id, linkId: await addLink(scenario, `/v1/projects/${project.id}/test-cases/${id}/links`) } }
}
const ofResult: Prepare = async (scenario) => ({ ids: await makeRunOfOneCase(scenario), body })
const linkOfResult: Prepare = async (scenario) => {
  const ids = await makeRunOfOneCase(scenario)
  return { ids: { ...ids, linkId: await addLink(scenario, `/v1/runs/${ids.runId}/results/${ids.id}/links`) } }
}
/** The link is at another result of the run. */
const linkOfOtherResult: Prepare = async (scenario) => {
  const other = await linkOfResult(scenario)
  return { ids: { ...other.ids, ...(await makeRunOfOneCase(scenario)) } }
}

export const linksOfResults = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/projects/:projectId/test-cases/:id/links ${ofTestCase}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/projects/:projectId/test-cases/:id/links ${ofTestCase}
    401   401        read-only  role     201      201      outsider  personal   personal  outsider  201      origin
  DELETE /v1/projects/:projectId/test-cases/:id/links/:linkId ${linkOfTestCase}
    401   401        read-only  role     204      204      outsider  personal   personal  outsider  204      origin
  GET /v1/runs/:runId/results/:id/links ${ofResult}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/runs/:runId/results/:id/links ${ofResult}
    401   401        read-only  role     201      201      outsider  personal   personal  outsider  201      origin
  DELETE /v1/runs/:runId/results/:id/links/:linkId ${linkOfResult}
    401   401        read-only  role     204      204      outsider  personal   personal  outsider  204      origin
  DELETE /v1/runs/:runId/results/:id/links/:linkId ${linkOfOtherResult}
    401   401        read-only  role     404      404      outsider  personal   personal  outsider  404      origin
`

import { makeMilestone } from '@caseward/test-support/factories'
import { reportStylesheet } from '../../src/features/shares/report-page.ts'
import { makeRunOfOneCase } from './runs.ts'
import type { Scenario } from './scenario.ts'
import { type Prepare, table } from './table.ts'

const body = { name: 'For Acme', include: ['notes'] }

const existingRun: Prepare = async (scenario) => ({ ids: await makeRunOfOneCase(scenario) })
const newShareOfRun: Prepare = async (scenario) => ({ ...(await existingRun(scenario)), body })
const existingMilestone: Prepare = async ({ server, project }) => ({
  ids: { milestoneId: (await makeMilestone(server, project)).id },
})
const newShareOfMilestone: Prepare = async (scenario) => ({ ...(await existingMilestone(scenario)), body })

/** Shares a run as the admin of the project, whoever calls. */
async function share({ server, project }: Scenario) {
  const { runId } = await makeRunOfOneCase({ server, project })
  const options = { token: project.admin.token, body }
  const path = `/v1/runs/${runId}/shares`
  return (await server.request<{ data: { id: string; url: string } }>('POST', path, options)).body.data
}
const existingShare: Prepare = async (scenario) => ({ ids: { shareId: (await share(scenario)).id } })
const sharedSecret: Prepare = async (scenario) => ({
  ids: { secret: (await share(scenario)).url.split('/').at(-1) ?? '' },
})

/** A file of the run that the report includes. */
const sharedFile: Prepare = async ({ server, project }) => {
  const { token } = project.admin
  const { runId, id } = await makeRunOfOneCase({ server, project })
  const path = `/v1/runs/${runId}/results/${id}/attachments?name=a.txt`
  const file = await server.request<{ data: { id: string } }>('POST', path, { token, body: Buffer.from('a') })
  const options = { token, body: { name: 'For Acme', include: ['files'] } }
  const { body: shared } = await server.request<{ data: { url: string } }>('POST', `/v1/runs/${runId}/shares`, options)
  return { ids: { secret: shared.data.url.split('/').at(-1) ?? '', attachmentId: file.body.data.id } }
}

export const shares = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/runs/:runId/shares ${existingRun}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/runs/:runId/shares ${newShareOfRun}
    401   401        read-only  role     201      201      outsider  personal   personal  outsider  201      origin
  GET /v1/projects/:projectId/milestones/:milestoneId/shares ${existingMilestone}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  POST /v1/projects/:projectId/milestones/:milestoneId/shares ${newShareOfMilestone}
    401   401        read-only  role     201      201      outsider  personal   personal  outsider  201      origin
  GET /v1/projects/:projectId/shares
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  DELETE /v1/projects/:projectId/shares/:shareId ${existingShare}
    401   401        read-only  role     204      204      outsider  personal   personal  outsider  204      origin
`

/** Whoever has the address reads the report, whatever else the request has. */
export const sharedReports = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /shared/:secret ${sharedSecret}
    everyone 200
  GET /shared/:secret/export ${sharedSecret}
    everyone 200
  GET /shared/:secret/files/:attachmentId ${sharedFile}
    everyone 200
  GET ${reportStylesheet.path}
    everyone 200
`

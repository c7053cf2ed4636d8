import type { NewShare } from '@caseward/contract/shares'

import { makeFolder, makeProject, makeRun, makeTestCase } from './factories.ts'
import type { TestServer } from './test-server.ts'

/** A picture of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A defect that is linked to the failed result. */
export const DEFECT = 'https://acme.atlassian.net/browse/SHOP-41'

/** A project with a run: one result that failed and has everything, one that passed, one that was not tested. */
export async function makeReportedRun(server: TestServer) {
  const project = await makeProject(server)
  const { token } = project.admin
  const folder = await makeFolder(server, project, { name: 'Checkout' })
  const steps = [
    { position: 1, action: 'Open the shop', expected: 'It shows' },
    { position: 2, action: 'Go to payment', expected: 'The form asks for the card' },
  ]
  await makeTestCase(server, project, { title: 'A customer pays by card', folder_id: folder.id, steps })
  await makeTestCase(server, project, { title: '<b>Pays</b> by voucher', folder_id: folder.id })
  await makeTestCase(server, project, { title: 'Signs out' })
  const run = await makeRun(server, project)
  const path = `/v1/runs/${run.id}/results`
  const body = {
    status: 'failed',
    note: 'Expected 200, got 500',
    elapsed: 65,
    steps: [{ position: 2, status: 'failed', actual: 'Error 500' }],
  }
  await server.request('PUT', `${path}/WEB-1`, { token, body })
  await server.request('PUT', `${path}/WEB-2`, { token, body: { status: 'passed' } })
  await server.request('POST', `${path}/WEB-1/links`, { token, body: { url: DEFECT } })
  const { body: attached } = await server.request<{ data: { id: string } }>(
    'POST',
    `${path}/WEB-1/attachments?name=shot.png`,
    { token, body: pixel },
  )
  return { project, token, run, attachmentId: attached.data.id }
}

/** Shares a run, or whatever has the path. */
export async function share(
  server: TestServer,
  token: string,
  subjectPath: string,
  include: readonly string[] = [],
): Promise<NewShare & { path: string }> {
  const options = { token, body: { name: 'For Acme', include } }
  const { body } = await server.request<{ data: NewShare }>('POST', `${subjectPath}/shares`, options)
  return { ...body.data, path: new URL(body.data.url).pathname }
}

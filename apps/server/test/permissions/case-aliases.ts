import { makeTestCase } from '@caseward/test-support/factories'

import { type Prepare, table } from './table.ts'

let count = 0

const ofTestCase: Prepare = async ({ server, project }) => ({
  ids: { id: (await makeTestCase(server, project)).id },
  body: { aliases: [{ system: 'testrail', source: 'Shop', key: `C${(count += 1)}` }] },
})
const search: Prepare = () => ({ query: '?key=C17' })

export const caseAliases = table`
    none  bad-token  read-only  viewer   member   admin    outsider  ci-read    ci-write  ci-other  session  cross-site
  GET /v1/projects/:projectId/test-cases/:id/aliases ${ofTestCase}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
  PUT /v1/projects/:projectId/test-cases/:id/aliases ${ofTestCase}
    401   401        read-only  role     200      200      outsider  personal   personal  outsider  200      origin
  GET /v1/projects/:projectId/case-aliases ${search}
    401   401        200        200      200      200      outsider  200        200       outsider  200      200
`

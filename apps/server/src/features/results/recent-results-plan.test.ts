import { sql } from 'kysely'
import { expect, it } from 'vitest'

import { countRowsRead } from '@caseward/test-support/count-rows-read'
import { insertTestCases, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'

const server = useTestServer()

const LARGE_RUN = 5000
/** Plans are made for each connection of the pool. */
const PARALLEL_REQUESTS = 20

it('reads single results after a large run, with plans that were made while the table was small', async () => {
  const project = await makeProject(server)
  const ids = await makeTestCases(server, project, 3)
  await makeRun(server, project)
  // PostgreSQL now knows that all results are in one page.
  await sql`vacuum analyze test_results`.execute(server.db)
  const query = ids.map((id) => `test_case_ids=${id}`).join('&')
  const path = `/v1/projects/${project.id}/recent-results?${query}`
  const read = async () => (await server.request('GET', path, { token: project.admin.token })).status
  await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, read))

  const large = await makeProject(server)
  await insertTestCases(server, large, LARGE_RUN)
  await makeRun(server, large)

  const rowsRead = await countRowsRead(server, 'test_results', async () => {
    expect(await read()).toBe(200)
  })
  expect(rowsRead).toBeLessThanOrEqual(2 * ids.length)
})

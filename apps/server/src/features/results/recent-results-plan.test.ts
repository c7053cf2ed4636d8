import { sql } from 'kysely'
import { expect, it } from 'vitest'

import { countRowsRead } from '@caseward/test-support/count-rows-read'
import { insertTestCases, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'

const server = useTestServer()

const LARGE_RUN = 5000
/** Plans are made for each connection of the pool. */
const PARALLEL_REQUESTS = 20

type MadeProject = Awaited<ReturnType<typeof makeProject>>

const buildPath = (project: MadeProject, ids: readonly string[]) =>
  `/v1/projects/${project.id}/recent-results?${ids.map((id) => `test_case_ids=${id}`).join('&')}`

const readRecentResults = async (project: MadeProject, ids: readonly string[]): Promise<number> =>
  (await server.request('GET', buildPath(project, ids), { token: project.admin.token })).status

/** Makes each connection plan the statement with what PostgreSQL knows about the tables now. */
const makePlans = (project: MadeProject, ids: readonly string[]) =>
  Promise.all(Array.from({ length: PARALLEL_REQUESTS }, () => readRecentResults(project, ids)))

const countResultsRead = (project: MadeProject, ids: readonly string[]): Promise<number> =>
  countRowsRead(server, 'test_results', async () => {
    expect(await readRecentResults(project, ids)).toBe(200)
  })

it('reads single results of a large run, with plans that were made before there was any result', async () => {
  const project = await makeProject(server)
  await insertTestCases(server, project, LARGE_RUN)
  const ids = [1, 2, 3].map((number) => `${project.prefix}-${number}`)
  await makePlans(project, ids)
  await makeRun(server, project)
  expect(await countResultsRead(project, ids)).toBeLessThanOrEqual(2 * ids.length)
})

it('reads single results after a large run, with plans that were made while the table was small', async () => {
  const project = await makeProject(server)
  const ids = await makeTestCases(server, project, 3)
  await makeRun(server, project)
  // PostgreSQL now knows that all results are in one page.
  await sql`vacuum analyze test_results`.execute(server.db)
  await makePlans(project, ids)

  const large = await makeProject(server)
  await insertTestCases(server, large, LARGE_RUN)
  await makeRun(server, large)
  expect(await countResultsRead(project, ids)).toBeLessThanOrEqual(2 * ids.length)
})

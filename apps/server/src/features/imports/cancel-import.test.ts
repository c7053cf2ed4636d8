import type { Import } from '@caseward/contract/import-schemas'
import { makeProject } from '@caseward/test-support/factories'
import { actOnImport, planFile, waitForImport } from '@caseward/test-support/import-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { expect, it } from 'vitest'

const server = useSharedServer()

/** Ten batches: one is written while the import is canceled. */
const COUNT = 2000
const BATCH = 200
const CSV = `ID,Title,Section,Template,Steps\n${Array.from({ length: COUNT }, (_, index) => `C${index + 1},Case ${index + 1},Shop,Test Case (Text),Open`).join('\n')}\n`

it('an import that is canceled while it writes ends after a batch, and goes on with the next one when it is resumed', async () => {
  const project = await makeProject(server)
  const { token } = project.admin
  const { id, plan } = await planFile(server, project, CSV, 'cases.csv')
  const path = `/v1/projects/${project.id}/imports/${id}`
  const read = async () => (await server.request<{ data: Import }>('GET', path, { token })).body.data
  const countCases = async () => {
    const { rows } = await sql<{ count: number; titles: number }>`
      select count(*)::int as count, count(distinct title)::int as titles from test_cases
      where project_id = ${project.id}`.execute(server.db)
    return rows[0]
  }
  await server.request('POST', `${path}/apply`, { token, body: { plan } })
  await expect.poll(async () => (await read()).progress?.stage, { interval: 5 }).toBe('cases')
  expect((await server.request('POST', `${path}/cancel`, { token })).status).toBe(202)
  expect(await waitForImport(server, project, id)).toMatchObject({ state: 'cancelled', applied_at: null })
  const written = (await countCases())?.count ?? 0
  expect(written % BATCH).toBe(0)
  expect(written).toBeGreaterThan(0)
  expect(written).toBeLessThan(COUNT)
  await server.expectProblem(409, 'POST', `${path}/apply`, { token, body: { plan } })

  const done = await actOnImport(server, project, { id, plan }, 'resume')
  expect(done).toMatchObject({ state: 'done', proof: { is_equal: true, cases: { read: COUNT, stored: COUNT } } })
  expect(await countCases()).toEqual({ count: COUNT, titles: COUNT })
})

import { sql } from 'kysely'
import { expect, it } from 'vitest'

import { makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { createTestCases } from './create-test-cases.ts'

const server = useSharedServer()

/** Test cases with an automation key each, whose foreign key PostgreSQL checks by reading the test case. */
const makeItems = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ title: `Case ${index}`, automation_keys: [`${prefix}.${index}`] }))

it('creating many test cases reads each of them a few times, also on a connection that planned for an empty table', async () => {
  const project = await makeProject(server)
  const ref = { id: project.id, prefix: project.prefix }
  // To PostgreSQL it looks as good as the primary key while the table is empty. The statistics count what is read from it.
  await sql`create index on test_cases (project_id)`.execute(server.db)
  const read = await server.db.transaction().execute(async (tx) => {
    await createTestCases(tx, ref, null, makeItems('first', 1), () => '')
    await createTestCases(tx, ref, null, makeItems('many', 2000), () => '')
    const { rows } = await sql<{ count: string }>`
      select coalesce(idx_tup_fetch, 0) as count from pg_stat_xact_user_tables where relname = 'test_cases'`.execute(tx)
    return Number(rows[0]?.count)
  })
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(10 * 2000)
})

import { countRowsRead } from '@caseward/test-support/count-rows-read'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { sql } from 'kysely'
import { expect, it } from 'vitest'

const server = useTestServer()

const TESTS = 1000

/** Uploads tests to a new project; returns a function that creates test cases for them. */
async function uploadNewTests(count: number): Promise<() => Promise<void>> {
  const { run, uploadTests, createTestCases } = await makeTestsScenario(server)
  await uploadTests(Array.from({ length: count }, (_, index) => makeTest(`pays ${index}`)))
  return async () => {
    const { body } = await createTestCases({ all_unmatched_of_run: run.id, run_id: run.id })
    expect(body.data).toMatchObject({ created: count, remaining: 0 })
  }
}

it.each(['tests', 'test_outcomes'])(
  'creating test cases for many tests reads each of the %s a few times, also with statistics from before their upload',
  async (table) => {
    for (let projects = 0; projects < 5; projects += 1) await (await uploadNewTests(20))()
    await sql`analyze`.execute(server.db)
    const createTestCases = await uploadNewTests(TESTS)
    const count = await countRowsRead(server, table, createTestCases)
    expect(count).toBeLessThan(20 * TESTS)
  },
)

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeProject } from '@caseward/test-support/factories'
import { actOnImport, planFile } from '@caseward/test-support/import-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { expect, it } from 'vitest'

const server = useSharedServer()

const at = (hour: string) => `2024-04-02T${hour}:00:00Z`
const RUN = {
  runs: [{ id: 70, name: 'Second', created_at: at('08') }],
  run_tests: [1, 2, 3].map((id) => ({ id, run_id: 70, case_id: id })),
  run_results: [
    { id: 1, test_id: 1, status_id: 2, created_at: at('10') },
    { id: 2, test_id: 2, status_id: 1, created_at: at('11') },
  ],
}
const toJson = (run: Partial<typeof RUN>): string => {
  const cases = ['Pays by card', 'Pays later', 'Pays never'].map((title, index) => ({ id: index + 1, title }))
  const statuses = ['Passed', 'Failed'].map((name, index) => ({ id: index + 1, name }))
  const datasets = Object.entries({
    repository_cases: cases,
    statuses,
    runs: [],
    run_tests: [],
    run_results: [],
    ...run,
  })
  return JSON.stringify({ datasets: datasets.map(([name, rows]) => ({ name, rows })) })
}

it('an import keeps each result of test cases of the source that are one test case here', async () => {
  const project = await makeProject(server)
  const importFile = async (json: string) =>
    await actOnImport(server, project, await planFile(server, project, json, 'testmo.json'), 'apply')
  await importFile(toJson({}))
  await sql`
    update source_links set target = '1' where project_id = ${project.id} and kind = 'case' and target = '2'`.execute(
    server.db,
  )
  await importFile(toJson(RUN))
  const { rows } = await sql`
    select case_number, status, (
      select array_agg(status) from result_changes c where c.project_id = r.project_id and c.result_id = r.id
    ) as earlier
    from test_results r where project_id = ${project.id} order by case_number`.execute(server.db)
  expect(rows).toEqual([
    { case_number: 1, status: 'passed', earlier: '{failed}' },
    { case_number: 3, status: 'not_tested', earlier: null },
  ])
  await expectCorrectCounters(server, project.id)
})

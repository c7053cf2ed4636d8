import { startKilledService } from '@caseward/test-support/killed-service'
import { describe, expect, it } from 'vitest'

const CASE_COUNT = 1000
const RUN_COUNT = 2
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
/** Every test case has two results in each run. */
const JSON_TEXT = JSON.stringify({
  datasets: Object.entries({
    repository_folders: numbers(30).map((id) => ({ id, name: `Folder ${id}` })),
    repository_cases: numbers(CASE_COUNT).map((id) => ({ id, title: `Case ${id}`, folder_id: (id % 30) + 1 })),
    statuses: ['Passed', 'Failed'].map((name, index) => ({ id: index + 1, name })),
    runs: numbers(RUN_COUNT).map((id) => ({ id, name: `Run ${id}`, created_at: `2024-01-0${id}T08:00:00Z` })),
    run_tests: numbers(RUN_COUNT * CASE_COUNT).map((id) => ({
      id,
      run_id: (id % RUN_COUNT) + 1,
      case_id: Math.ceil(id / RUN_COUNT),
    })),
    run_results: numbers(2 * RUN_COUNT * CASE_COUNT).map((id) => ({
      test_id: Math.ceil(id / 2),
      status_id: (id % 2) + 1,
      created_at: `2024-01-05T08:00:0${id % 2}Z`,
    })),
  }).map(([name, rows]) => ({ name, rows })),
})

describe('a server that is killed while it reads, plans and applies an import', () => {
  it('goes on where it was when it starts again, and creates no test case and no result twice', async () => {
    const service = await startKilledService()
    const { call, countRows, killWhen, waitForState } = service
    const { path } = await service.createImport(Buffer.from(JSON_TEXT), 'testmo.json')
    await killWhen('select from import_records limit 1')
    const { plan } = await waitForState(path, 'planned')
    await call('POST', `${path}/apply`, { plan })
    await killWhen('select from test_cases offset 600 limit 1')
    await killWhen('select from test_results limit 1')
    const done = await waitForState(path, 'done')
    expect(done.proof).toMatchObject({
      is_equal: true,
      cases: { read: CASE_COUNT, stored: CASE_COUNT },
      folders: { read: 30, stored: 30 },
      runs: { read: RUN_COUNT, stored: RUN_COUNT },
      results: { read: 2 * RUN_COUNT * CASE_COUNT, stored: 2 * RUN_COUNT * CASE_COUNT },
    })
    expect(await countRows('select from test_cases')).toBe(CASE_COUNT)
    expect(await countRows('select title from test_cases group by title having count(*) > 1')).toBe(0)
    expect(await countRows('select from folders')).toBe(30)
    expect(await countRows('select from runs')).toBe(RUN_COUNT)
    expect(await countRows(`select from test_results where status = 'failed' and change_count = 1`)).toBe(
      RUN_COUNT * CASE_COUNT,
    )
    expect(await countRows(`select from result_changes where status = 'passed'`)).toBe(RUN_COUNT * CASE_COUNT)
    expect(await countRows(`select from runs where failed_count = ${CASE_COUNT} and passed_count = 0`)).toBe(RUN_COUNT)
    await service.stop()
  }, 240_000)
})

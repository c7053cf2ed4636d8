import { startKilledService } from '@caseward/test-support/killed-service'
import { expect, it } from 'vitest'

const KILLS = 20
const [CASES, RUNS] = [1500, 2]
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const JSON_TEXT = JSON.stringify({
  datasets: Object.entries({
    repository_folders: numbers(40).map((id) => ({ id, name: `Folder ${id}` })),
    repository_cases: numbers(CASES).map((id) => ({ id, title: `Case ${id}`, folder_id: (id % 40) + 1 })),
    statuses: ['Passed', 'Failed'].map((name, index) => ({ id: index + 1, name })),
    runs: numbers(RUNS).map((id) => ({ id, name: `Run ${id}`, created_at: `2024-01-0${id}T08:00:00Z` })),
    run_tests: numbers(RUNS * CASES).map((id) => ({
      id,
      run_id: (id % RUNS) + 1,
      case_id: Math.ceil(id / RUNS),
    })),
    run_results: numbers(RUNS * CASES).map((id) => ({
      test_id: id,
      status_id: (id % 2) + 1,
      comment: `Result ${id}`,
      created_at: `2024-01-05T08:00:0${id % 10}Z`,
    })),
  }).map(([name, rows]) => ({ name, rows })),
})
/** Folders, test cases, runs and results. */
const RECORDS = 40 + CASES + RUNS + RUNS * CASES

/** What an import has stored, without what is different by itself: ids, and times of the import. */
const digestOf = (project: string) => `
  select md5(string_agg(line, E'\\n' order by line)) as digest, count(*)::int as count from (
    select concat_ws('|', 'case', c.number, c.title, f.name, c.version, c.steps::text) as line
    from test_cases c left join folders f on f.project_id = c.project_id and f.id = c.folder_id
    where c.project_id = '${project}'
    union all
    select concat_ws('|', 'run', name, status, created_at, completed_at, passed_count, failed_count) from runs
    where project_id = '${project}'
    union all
    select concat_ws('|', 'result', r.name, t.case_number, t.status, t.note, t.change_count) from test_results t
    join runs r on r.project_id = t.project_id and r.id = t.run_id where t.project_id = '${project}'
    union all
    select concat_ws('|', 'link', kind, key) from source_links where project_id = '${project}'
  ) lines`

it('an import whose server is killed at 20 random moments stores the same as one that is not disturbed', async () => {
  const service = await startKilledService()
  const { call, killWhen, query, waitForState } = service
  const file = Buffer.from(JSON_TEXT)
  const whole = await service.createImport(file, 'testmo.json')
  const plan = await waitForState(whole.path, 'planned')
  await call('POST', `${whole.path}/apply`, { plan: plan.plan })
  await waitForState(whole.path, 'done')

  const killed = await service.createImport(file, 'testmo.json')
  const id = killed.path.split('/').at(-1) ?? ''
  const moments: string[] = []
  // Each is when so many records were read, planned or written.
  const killAt = async (times: number, condition: string, count: number) => {
    const thresholds = numbers(times).map(() => Math.floor(Math.random() * count))
    for (const threshold of thresholds.toSorted((a, b) => a - b)) {
      moments.push(`${condition}: ${threshold}`)
      await killWhen(
        `select from import_records where import_id = '${id}' and ${condition} offset ${threshold} limit 1`,
      )
    }
  }
  await killAt(3, 'true', RECORDS)
  await killAt(3, 'action is not null', CASES)
  const again = await waitForState(killed.path, 'planned')
  await call('POST', `${killed.path}/apply`, { plan: again.plan })
  await killAt(KILLS - 6, 'is_done', RECORDS - 500)
  const done = await waitForState(killed.path, 'done')
  expect(moments).toHaveLength(KILLS)
  expect(done.proof).toMatchObject({ is_equal: true, cases: { stored: CASES }, results: { stored: RUNS * CASES } })
  const [expected] = await query(digestOf(whole.project))
  expect({ moments, stored: await query(digestOf(killed.project)) }).toEqual({ moments, stored: [expected] })
  expect(expected).toMatchObject({ count: CASES + RUNS + RUNS * CASES + 40 + CASES + RUNS })
  await service.stop()
}, 1_200_000)

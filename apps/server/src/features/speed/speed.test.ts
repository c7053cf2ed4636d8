import type { listSlowTests } from '@caseward/contract/speed'
import { makeEvaluationScenario } from '@caseward/test-support/evaluation-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import type { Static } from '@caseward/contract/static'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()
type Answer = Static<(typeof listSlowTests.schema.response)[200]>

async function makeScenario() {
  const scenario = await makeEvaluationScenario(server)
  const { project, get, build } = scenario
  return {
    ...scenario,
    /** Base runs, the oldest first, in which each test took so many milliseconds; null where it failed. */
    buildRuns: async (times: Readonly<Record<string, readonly (number | null)[]>>, metadata = { branch: 'main' }) => {
      const count = Math.max(...Object.values(times).map((ofTest) => ofTest.length))
      for (let place = 0; place < count; place += 1) {
        const run = await build(
          Object.fromEntries(
            Object.entries(times).map(
              ([name, ofTest]) => [name, ofTest[place] === null ? 'failed' : 'passed'] as const,
            ),
          ),
          { metadata },
        )
        for (const [name, ofTest] of Object.entries(times))
          await sql`
            update test_outcomes o set elapsed_ms = ${ofTest[place] ?? 9_999_999}::int from tests t
            where o.project_id = ${project.id} and o.run_id = ${run.id} and t.project_id = o.project_id
              and t.id = o.test_id and t.name = ${name}`.execute(server.db)
      }
    },
    list: async (query = '') => await get<Answer>(`/v1/projects/${project.id}/slow-tests?${query}`),
  }
}

const repeat = (count: number, value: number) => Array.from({ length: count }, () => value)
const names = ({ data }: Answer) => data.map(({ test }) => test.name)

describe('GET /v1/projects/:project_id/slow-tests', () => {
  it('finds tests that became slower or faster by 1.5 times and 500 ms, and no near miss', async () => {
    const { buildRuns, list } = await makeScenario()
    const step = (before: number, now: number) => [...repeat(5, before), ...repeat(5, now)]
    await buildRuns({
      'by 1.6': step(2000, 3200),
      'by 1.5': step(2000, 3000),
      'by 1.4': step(2000, 2800),
      'by 400 ms': step(200, 600),
      'faster by 1.6': step(3200, 2000),
      'faster by 1.4': step(2800, 2000),
      'one outlier': [...repeat(9, 1000), 90_000],
      // It passed in 2 of the newest runs, and failed slowly in the others.
      'too few now': [...repeat(5, 2000), null, null, null, 4000, 4000],
      'too few before': [null, ...repeat(4, 2000), ...repeat(5, 4000)],
    })
    const slower = await list('kind=slower')
    expect(names(slower)).toEqual(['by 1.6', 'by 1.5'])
    expect(slower.data[0]).toMatchObject({ before_ms: 2000, now_ms: 3200, median_ms: 2600, p95_ms: 3200, runs: 10 })
    expect(slower.meta).toMatchObject({ branch: 'main', series: '', runs: 10, is_cut: false, total: 2 })
    expect(names(await list('kind=faster'))).toEqual(['faster by 1.6'])
  })

  it('lists the slowest by median with the share of the total, equal to a recount, until the next base run', async () => {
    const { buildRuns, list, project } = await makeScenario()
    await buildRuns({ slow: [900, 1100, 5000], quick: [10, 20, 30], fails: [null, null, 700] })
    await buildRuns({ other: [70_000] }, { branch: 'feature' })
    const { data, meta } = await list()
    const { rows } = await sql<{ name: string; median: number; p95: number; share: number; runs: number }>`
      with r as (
        select id from runs where project_id = ${project.id} and branch = 'main'
      ), o as (
        select t.name, o.elapsed_ms
        from test_outcomes o join tests t on t.project_id = ${project.id} and t.id = o.test_id join r on r.id = o.run_id
        where o.project_id = ${project.id} and o.status = 'passed'
      )
      select name, percentile_cont(0.5) within group (order by elapsed_ms) as median,
        percentile_cont(0.95) within group (order by elapsed_ms) as p95,
        (sum(elapsed_ms)::float8 / (select sum(elapsed_ms) from o)) as share, count(*)::int as runs
      from o group by name order by 2 desc`.execute(server.db)
    expect(data.map(({ test, median_ms, p95_ms, runs }) => [test.name, median_ms, p95_ms, runs])).toEqual(
      rows.map(({ name, median, p95, runs }) => [name, Math.round(median), Math.round(p95), runs]),
    )
    for (const [place, { share }] of data.entries()) expect(share).toBeCloseTo(rows[place]?.share ?? 0, 8)
    const first = await sql<{ at: Date }>`
      select min(created_at) as at from runs where project_id = ${project.id} and branch = 'main'`.execute(server.db)
    expect(meta).toMatchObject({ total: 3, since: first.rows[0]?.at.toISOString() })
    await buildRuns({ slow: [60_000], added: [50_000] })
    expect(names(await list())[0]).toBe('added')
  })

  it('takes the suite of the newest base run, and at most 20 runs', async () => {
    const { buildRuns, list } = await makeScenario()
    await buildRuns({ unit: repeat(22, 100) })
    await buildRuns({ late: [100] }, { branch: 'main', suite: 'nightly' } as never)
    expect((await list()).meta).toMatchObject({ series: 'nightly', runs: 1 })
    expect((await list('series=')).meta).toMatchObject({ series: '', runs: 20 })
    expect((await list('branch=none')).meta).toMatchObject({ series: null, runs: 0, since: null, total: 0 })
  })
})

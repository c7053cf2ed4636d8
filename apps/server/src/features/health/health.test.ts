import type { FailureGroup } from '@caseward/contract/failure-groups'
import type { Health } from '@caseward/contract/health'
import type { RunTest } from '@caseward/contract/run-tests'
import { makeEvaluationScenario, type NewBuild, type Outcomes } from '@caseward/test-support/evaluation-scenario'
import { makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { readHealth, readHealthBand } from './read-health.ts'

const server = useTestServer()
const HOUR_MS = 3_600_000

async function makeScenario() {
  const scenario = await makeEvaluationScenario(server)
  const { project, build, evaluate, get } = scenario
  return {
    ...scenario,
    /** A run that was created, and whose reports came, at a time. */
    buildAt: async (at: string, outcomes: Outcomes, options: NewBuild = {}) => {
      const run = await build(outcomes, { metadata: { branch: 'main' }, ...options })
      await sql`update runs set created_at = ${at} where id = ${run.id}`.execute(server.db)
      await sql`update run_uploads set uploaded_at = ${at} where run_id = ${run.id}`.execute(server.db)
      await evaluate(run.id)
      return run.id
    },
    read: async (now: string, query: Parameters<typeof readHealth>[2] = {}) =>
      await readHealth(server.db, project.id, query, new Date(now)),
    getHealth: async (query = '') => (await get<{ data: Health }>(`/v1/projects/${project.id}/health?${query}`)).data,
  }
}

describe('GET /v1/projects/:project_id/health', () => {
  it('draws when a branch was green, and how long it took to get green again', async () => {
    const { buildAt, read, patch } = await makeScenario()
    const lead = await buildAt('2026-03-01T20:00:00Z', { a: 'passed' })
    const red = await buildAt('2026-03-02T10:00:00Z', { a: 'failed' })
    // The same failure as before blocks on the branch itself: it stays red.
    const still = await buildAt('2026-03-02T12:00:00Z', { a: 'failed' })
    const outage = await buildAt('2026-03-02T13:00:00Z', { a: 'failed' })
    await patch(outage, { excluded: true })
    const green = await buildAt('2026-03-02T16:00:00Z', { a: 'passed' })
    const nightly = await buildAt(
      '2026-03-03T02:00:00Z',
      { b: 'failed' },
      { metadata: { branch: 'main', suite: 'nightly' } },
    )
    // None of these is a base run.
    await buildAt('2026-03-03T03:00:00Z', { a: 'failed' }, { metadata: { branch: 'feature' } })
    await buildAt('2026-03-03T04:00:00Z', { a: 'failed' }, { metadata: { branch: 'main', pull_request: '7' } })
    const { band, runs, branch, from } = await read('2026-03-08T00:00:00Z', { days: 7 })
    expect({ branch, from }).toEqual({ branch: 'main', from: '2026-03-02T00:00:00.000Z' })
    const [unit, other] = band
    expect(unit).toEqual({
      series: '',
      segments: [
        { from: '2026-03-02T00:00:00.000Z', to: '2026-03-02T10:00:00.000Z', state: 'green', run_id: lead },
        { from: '2026-03-02T10:00:00.000Z', to: '2026-03-02T12:00:00.000Z', state: 'red', run_id: red },
        { from: '2026-03-02T12:00:00.000Z', to: '2026-03-02T13:00:00.000Z', state: 'red', run_id: still },
        { from: '2026-03-02T13:00:00.000Z', to: '2026-03-02T16:00:00.000Z', state: 'excluded', run_id: outage },
        // For 72 hours: after that, nothing is known.
        { from: '2026-03-02T16:00:00.000Z', to: '2026-03-05T16:00:00.000Z', state: 'green', run_id: green },
      ],
      current: { state: 'green', since: '2026-03-02T16:00:00.000Z', blocking_count: 0 },
      green_ms: 82 * HOUR_MS,
      red_ms: 3 * HOUR_MS,
      recoveries: 1,
      median_recovery_ms: 6 * HOUR_MS,
      longest_recovery_ms: 6 * HOUR_MS,
    })
    expect(other).toMatchObject({
      series: 'nightly',
      segments: [{ run_id: nightly, state: 'red' }],
      current: { state: 'red', since: '2026-03-03T02:00:00.000Z', blocking_count: 1 },
      median_recovery_ms: null,
    })
    expect(runs.map(({ id }) => id)).toEqual([nightly, green, outage, still, red])
    expect((await read('2026-03-08T00:00:00Z', { days: 7, series: 'nightly' })).band).toEqual([other])
    expect((await read('2026-04-30T00:00:00Z', { days: 7 })).band).toEqual([])
  })

  it('begins days at local midnight, also in the nights of a clock change, with figures that equal a recount', async () => {
    const { buildAt, read, project } = await makeScenario()
    const outcomes: Outcomes = { a: 'passed', b: 'passed', c: 'failed', d: 'passed' }
    const times = [
      '2026-03-27T22:59:00Z',
      '2026-03-28T18:29:00Z',
      '2026-03-28T18:31:00Z',
      '2026-03-28T22:59:00Z',
      '2026-03-28T23:01:00Z',
      '2026-03-29T21:59:00Z',
      '2026-03-29T22:01:00Z',
      '2026-10-24T21:59:00Z',
      '2026-10-24T22:01:00Z',
      '2026-10-25T22:30:00Z',
      '2026-10-25T23:01:00Z',
    ]
    for (const [index, at] of times.entries()) {
      await buildAt(at, index % 3 === 0 ? { ...outcomes, a: 'failed' } : outcomes)
    }
    await sql`
      insert into insight_days (project_id, day, flaky_count, suspect_count, broken_count, quarantined_count,
        automated_case_count, case_count, is_limited, series)
      values (${project.id}, '2026-03-29', 4, 1, 0, 2, 0, 0, true, '{}')`.execute(server.db)
    for (const timeZone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata']) {
      for (const now of ['2026-03-30T12:00:00Z', '2026-10-26T12:00:00Z']) {
        const { days, runs, from } = await read(now, { days: 7, time_zone: timeZone })
        const { rows: local } = await sql<{ id: string; day: string }>`
          select id, (created_at at time zone ${timeZone})::date::text as day from runs where project_id = ${project.id}`.execute(
          server.db,
        )
        const { rows: midnight } = await sql<{ at: Date }>`
          select ((${now}::timestamptz at time zone ${timeZone})::date - 6)::timestamp at time zone ${timeZone} as at`.execute(
          server.db,
        )
        expect(from).toBe(midnight[0]?.at.toISOString())
        const dayOf = new Map(local.map(({ id, day }) => [id, day]))
        const recount = days.map(({ day }) => {
          const ofDay = runs.filter(({ id }) => dayOf.get(id) === day)
          const sum = (get: (run: (typeof runs)[number]) => number) => ofDay.reduce((total, run) => total + get(run), 0)
          return {
            day,
            base_runs: ofDay.length,
            executed: sum((run) => run.executed),
            passed: sum((run) => run.passed),
            failed: sum((run) => run.executed - run.passed),
            pass_rate: ofDay.length === 0 ? null : sum((run) => run.passed / run.executed) / ofDay.length,
            median_ms: ofDay.length === 0 ? null : 40,
            p95_ms: ofDay.length === 0 ? null : 40,
            flaky: day === '2026-03-29' ? 4 : null,
            quarantined: day === '2026-03-29' ? 2 : null,
            is_limited: day === '2026-03-29',
          }
        })
        expect(days).toEqual(recount)
        expect(days).toHaveLength(7)
        expect(runs).toHaveLength(now.includes('-03-') ? 7 : 4)
      }
    }
  })

  it('shows unstable tests, causes, automation and lost build attempts as the lists count them', async () => {
    const scenario = await makeScenario()
    const { buildAt, getHealth, get, project, findTestId, link, upload, makeRunByKey, evaluate, patch } = scenario
    const { token } = scenario
    const at = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString()
    const cart = 'TypeError: the cart is empty'
    const rounds: Outcomes[] = [
      { steady: 'passed', flaps: ['failed', 'passed'], red: { statuses: ['failed'], message: cart }, rests: 'skipped' },
      { steady: 'passed', flaps: 'passed', red: { statuses: ['failed'], message: cart }, breaks: 'passed' },
      { steady: 'passed', flaps: ['failed', 'passed'], red: 'failed', breaks: 'failed', rests: 'failed' },
      { steady: 'passed', flaps: 'passed', rests: 'passed' },
    ]
    const runIds: string[] = []
    for (const [index, outcomes] of rounds.entries()) runIds.push(await buildAt(at(9 - index), outcomes))
    const folder = await server.request<{ data: { id: string } }>('POST', `/v1/projects/${project.id}/folders`, {
      token,
      body: { name: 'Shop' },
    })
    const folderId = folder.body.data.id
    const inner = await server.request<{ data: { id: string } }>('POST', `/v1/projects/${project.id}/folders`, {
      token,
      body: { name: 'Cart', parent_id: folderId },
    })
    const [one = '', two = '', three = '', four = ''] = await makeTestCases(server, project, 5)
    for (const [id, target] of [
      [one, folderId],
      [two, inner.body.data.id],
      [three, inner.body.data.id],
    ] as const)
      await server.request('PATCH', `/v1/projects/${project.id}/test-cases/${id}`, {
        token,
        body: { folder_id: target },
      })
    await link(await findTestId('steady'), one)
    await link(await findTestId('red'), two)
    await link(await findTestId('breaks'), three)
    await link(await findTestId('flaps'), four)
    await sql`
      update tests set created_at = created_at - interval '40 days',
        last_seen_on = (now() at time zone 'utc')::date - case name when 'flaps' then 15 else 14 end
      where project_id = ${project.id} and name <> 'steady'`.execute(server.db)

    // A job that was built again, and passed then; one that failed again; and an outage.
    const builds: [name: string, first: Outcomes, second: Outcomes][] = [
      ['lost', { x: 'failed', y: 'passed' }, { x: 'passed' }],
      ['red', { x: 'failed', flaps: ['failed', 'passed'] }, { x: 'failed' }],
      ['outage', Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`t${n}`, 'failed'])), { t1: 'passed' }],
    ]
    for (const [name, first, second] of builds) {
      const run = await makeRunByKey(name, { metadata: { branch: 'feature', commit: 'abcdef1' } })
      await upload(run.id, first, { job: 'test', instance: 'a', build_attempt: 1 })
      await upload(run.id, second, { job: 'test', instance: 'a', build_attempt: 2 })
      await patch(run.id, { status: 'completed' })
      await evaluate(run.id)
    }

    const health = await getHealth('days=7&time_zone=Europe/Berlin')
    const { matrix, causes, automation, weeks } = health
    expect(matrix.runs).toEqual(runIds)
    const cells = Object.fromEntries(matrix.tests.map(({ name }, index) => [name, matrix.cells[index]]))
    // Newly failing first.
    expect(matrix.tests[0]?.name).toBe('breaks')
    expect(Object.keys(cells)).toHaveLength(4)
    for (const [place, runId] of runIds.entries()) {
      const { data } = await get<{ data: RunTest[] }>(`/v1/runs/${runId}/tests?per_page=100`)
      for (const [name, ofTest] of Object.entries(cells)) {
        const test = data.find((listed) => listed.name === name)
        const outcome = test?.is_flaky === true ? 'flaked' : test?.outcome
        const cell = ofTest?.[place]?.replace('_again', '')
        expect(cell).toBe(outcome === undefined || outcome === 'skipped' ? 'not_run' : outcome)
      }
    }
    expect(cells.red).toEqual(['failed', 'failed_again', 'failed', 'not_run'])

    const groups = await get<{ data: FailureGroup[] }>(
      `/v1/projects/${project.id}/failure-groups?days=7&branch=main&per_page=12`,
    )
    expect(causes.map(({ signature, title, test_count }) => ({ signature, title, test_count }))).toEqual(
      groups.data.map(({ signature, title, test_count }) => ({ signature, title, test_count })),
    )
    expect(causes.length).toBeGreaterThan(3)
    for (const { signature, days } of causes) {
      const path = `/v1/projects/${project.id}/failure-groups/${signature}?days=7&branch=main&time_zone=Europe/Berlin`
      expect(days).toEqual((await get<{ data: { days: unknown[] } }>(path)).data.days)
    }
    expect(automation).toEqual([
      { folder_id: folderId, name: 'Shop', passing: 1, failing: 2, not_run: 0, by_hand: 0 },
      { folder_id: null, name: '', passing: 0, failing: 0, not_run: 1, by_hand: 1 },
    ])
    // In the newest base run, nothing failed.
    expect(health.newly_failing).toEqual({ total: 0, items: [] })
    expect(weeks.at(-1)).toMatchObject({ build_attempts: 1, machine_ms: 10 })
    expect(weeks.slice(0, -1).every((week) => week.build_attempts === 0)).toBe(true)
  })

  it('calls no test unstable because it passed again after an outage', async () => {
    const { getHealth, makeRunByKey, upload, patch, evaluate } = await makeScenario()
    const fill = (status: 'passed' | 'failed') =>
      Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`test ${index}`, status] as const))
    const { id } = await makeRunByKey('outage', {
      metadata: { branch: 'main', default_branch: 'main', commit: 'abcdef1' },
    })
    await upload(id, fill('failed'), { job: 'e2e', build_attempt: 1 })
    await upload(id, { ...fill('passed'), 'test 0': ['failed', 'passed'] }, { job: 'e2e', build_attempt: 2 })
    await patch(id, { status: 'completed' })
    await evaluate(id)
    const { matrix } = await getHealth('days=7')
    expect(matrix.tests.map(({ name }, index) => [name, matrix.cells[index]])).toEqual([['test 0', ['flaked']]])
  })

  it('lists what failed in the newest base run of each suite: newly, and for longest', async () => {
    const { buildAt, getHealth, listVerdicts, findTestId, quarantine, project } = await makeScenario()
    const at = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString()
    const nightly = { metadata: { branch: 'main', suite: 'nightly' } }
    await buildAt(at(9), { old: 'failed', older: 'passed', fresh: 'passed', heals: 'failed' })
    const first = await buildAt(at(8), { old: 'failed', older: 'failed', fresh: 'passed', heals: 'failed' })
    await quarantine(await findTestId('older'))
    await sql`
      update quarantines set owner_id = ${project.admin.id} where project_id = ${project.id}`.execute(server.db)
    const newest = await buildAt(at(7), { old: 'failed', older: 'failed', fresh: 'failed', heals: 'passed' })
    const other = await buildAt(at(6), { slow: 'failed' }, nightly)
    // No base runs.
    await buildAt(at(5), { mine: 'failed' }, { metadata: { branch: 'feature' } })
    const { newly_failing: newly, failing_longest: longest } = await getHealth('days=7')
    expect(Object.fromEntries(newly.items.map(({ test, run_id: id, runs }) => [test.name, [id, runs]]))).toEqual({
      fresh: [newest, 1],
      slow: [other, 1],
    })
    expect(newly.total).toBe(2)
    expect(longest.total).toBe(2)
    expect(longest.items.map(({ test, runs, owner_name: owner }) => [test.name, runs, owner === null])).toEqual([
      ['old', 3, true],
      ['older', 2, false],
    ])
    const verdicts = await listVerdicts(newest)
    for (const { test, cause } of longest.items)
      expect(cause?.signature).toBe(verdicts.find(({ id }) => id === test.id)?.signature)
    expect(longest.items[1]?.cause?.title).toBe('The cart of older lost its contents')
    const ofFirst = (
      await sql<{ created_at: Date }>`select created_at from runs where id = ${first}`.execute(server.db)
    ).rows
    expect(longest.items[1]?.since).toBe(ofFirst[0]?.created_at.toISOString())
    expect((await getHealth('days=7&series=nightly')).failing_longest.total).toBe(0)
  })

  it('returns the band alone when a page needs nothing else, with fewer statements', async () => {
    const { buildAt, project, get, read } = await makeScenario()
    await buildAt(new Date(Date.now() - HOUR_MS).toISOString(), { a: 'failed' })
    const path = `/v1/projects/${project.id}/health?days=7`
    const whole = await get<{ data: Health }>(path)
    const { data } = await get<{ data: Partial<Health> }>(`${path}&fields=band`)
    expect(Object.keys(data)).toEqual(['branch', 'from', 'to', 'is_cut', 'band'])
    expect({ ...data, to: null, band: null }).toEqual({
      branch: 'main',
      from: whole.data.from,
      to: null,
      is_cut: false,
      band: null,
    })
    expect(data.band?.map(({ current }) => current)).toEqual(whole.data.band.map(({ current }) => current))
    const countStatements = async (run: (db: typeof server.db) => Promise<unknown>) => {
      let count = 0
      const counted = server.db.withPlugin({
        transformQuery: ({ node }) => {
          count += 1
          return node
        },
        transformResult: async ({ result }) => result,
      })
      await run(counted)
      return count
    }
    const now = new Date()
    expect(await countStatements((db) => readHealthBand(db, project.id, { days: 7 }, now))).toBe(2)
    expect(await countStatements((db) => readHealth(db, project.id, { days: 7 }, now))).toBeGreaterThan(10)
    expect((await read(now.toISOString(), { days: 7 })).newly_failing.total).toBe(1)
  })

  it('is empty without runs, and refuses unknown time zones and too many days', async () => {
    const { getHealth, project, token } = await makeScenario()
    const health = await getHealth()
    expect(health).toMatchObject({ branch: null, band: [], runs: [], causes: [], matrix: { tests: [], cells: [] } })
    expect(health.days).toHaveLength(30)
    for (const [query, path] of [
      ['time_zone=Mars', '/time_zone'],
      ['days=91', '/days'],
    ]) {
      const problem = await server.expectProblem(400, 'GET', `/v1/projects/${project.id}/health?${query}`, { token })
      expect(problem.errors?.map((error) => error.path)).toEqual([path])
    }
  })
})

import type { FailureGroup } from '@caseward/contract/failure-groups'
import type { RunTest } from '@caseward/contract/run-tests'
import type { Outcomes } from '@caseward/test-support/evaluation-scenario'
import { makeTestCases } from '@caseward/test-support/factories'
import { makeHealthScenario } from '@caseward/test-support/health-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()
const HOUR_MS = 3_600_000

describe('GET /v1/projects/:project_id/health', () => {
  it('shows unstable tests, causes, automation and lost build attempts as the lists count them', async () => {
    const scenario = await makeHealthScenario(server)
    const { buildAt, getHealth, get, project, findTestId, link, upload, makeRunByKey, evaluate, patch } = scenario
    const { token } = scenario
    const at = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString()
    const fail = (message: string) => ({ statuses: ['failed' as const], message })
    const red = fail('TypeError: the cart is empty')
    const counts = fail('AssertionError: expected 3 to be 4')
    const other = fail('AssertionError: expected 5 to be 4')
    const rounds: Outcomes[] = [
      { steady: 'passed', flaps: ['failed', 'passed'], red, counts, rests: 'skipped' },
      { steady: 'passed', flaps: 'passed', red, counts, breaks: 'passed' },
      {
        steady: 'passed',
        flaps: ['failed', 'passed'],
        red: 'failed',
        counts: other,
        breaks: 'failed',
        rests: 'failed',
      },
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
    const today = new Date().toISOString().slice(0, 10)
    await sql`
      update tests set created_at = now() - interval '40 days',
        last_seen_on = ${today}::date - case when name = 'flaps' then 15 else 14 end
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
    expect(Object.keys(cells)).toHaveLength(5)
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
    // The same words with other values are another failure, as for verdicts.
    expect(cells.counts).toEqual(cells.red)

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
    const { getHealth, makeRunByKey, upload, patch, evaluate } = await makeHealthScenario(server)
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
    const { buildAt, getHealth, listVerdicts, findTestId, quarantine, project } = await makeHealthScenario(server)
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

  it('is empty without runs, and refuses unknown time zones and too many days', async () => {
    const { getHealth, project, token } = await makeHealthScenario(server)
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

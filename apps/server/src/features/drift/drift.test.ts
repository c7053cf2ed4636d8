import type { DriftItem, DriftKind } from '@caseward/contract/drift'
import type { ProjectTest } from '@caseward/contract/tests'
import { makeEvaluationScenario } from '@caseward/test-support/evaluation-scenario'
import { makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeTest } from '@caseward/test-support/tests-scenario'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

import { createRetentionJob } from '../retention/retention-job.ts'

const server = useTestServer()
const DAY_MS = 86_400_000

interface TestTimes {
  /** Days since it was in a settled run, and since it became known. */
  seen: number
  known?: number
  series?: string
  /** The test case that it is linked to. */
  case?: string
  linkedBy?: 'id' | 'hand'
  suite?: string
  file?: string
}

async function makeScenario() {
  const scenario = await makeEvaluationScenario(server)
  const { project, uploadTests, findTestId, get } = scenario
  const path = `/v1/projects/${project.id}`
  const list = async (kind: DriftKind, query = '') =>
    await get<{
      data: DriftItem[]
      meta: { total: number; next_after: number | null; too_early_since: string | null }
    }>(`${path}/drift?kind=${kind}&${query}`)
  return {
    ...scenario,
    path,
    /** Settled runs, one on each of the last days. */
    addRuns: async (count: number, series = '') => {
      for (let day = 0; day < count; day += 1)
        await sql`
          insert into runs (run_group, id, project_id, name, status, completed_at, created_at, series, passed_test_count)
          values (1, ${uuidv7()}, ${project.id}, 'Build', 'completed', now(), ${new Date(Date.now() - day * DAY_MS)}, ${series}, 1)`.execute(
          server.db,
        )
    },
    addTest: async (name: string, { seen, known = 60, series = '', linkedBy = 'hand', ...times }: TestTimes) => {
      const place = { suite: times.suite ?? 'shop', file: times.file ?? 'shop.test.ts' }
      await uploadTests([makeTest(name, ['passed'], place)])
      const { rows } = await sql<{ id: string }>`
        select id from tests where project_id = ${project.id} and name = ${name} and suite = ${place.suite}`.execute(
        server.db,
      )
      const id = rows[0]?.id ?? ''
      await sql`
        update tests set last_seen_on = (now() at time zone 'utc')::date - ${seen}::int, last_series = ${series},
          created_at = now() - make_interval(days => ${known}) where id = ${id}`.execute(server.db)
      if (times.case !== undefined)
        await sql`
          insert into test_links (project_id, test_id, case_number, source)
          values (${project.id}, ${id}, ${Number(times.case.split('-')[1])}, ${linkedBy})
          on conflict do nothing`.execute(server.db)
      return id
    },
    makeCase: async (title: string) => {
      const { id } = await makeTestCase(server, project, { title })
      await sql`
        update test_cases set created_at = now() - interval '60 days' where project_id = ${project.id}`.execute(
        server.db,
      )
      return id
    },
    list,
    names: async (kind: DriftKind) =>
      (await list(kind)).data.map(({ tests }) => tests.map(({ name }) => name).join(' → ')),
    findTestId,
  }
}

describe('GET /v1/projects/:project_id/drift', () => {
  it('finds tests that are gone, and none that only rests', async () => {
    const { addRuns, addTest, makeCase, names, list } = await makeScenario()
    await addRuns(9, 'nightly')
    const early = new Date(Date.now() - 8 * DAY_MS).toISOString().slice(0, 10)
    expect((await list('gone')).meta).toEqual({ total: 0, next_after: null, too_early_since: early })
    expect((await list('moved')).meta.too_early_since).toBe(early)
    expect((await list('twice')).meta.too_early_since).toBeNull()
    await addRuns(12)
    expect((await list('gone')).meta.too_early_since).toBeNull()
    const cases = [await makeCase('A'), await makeCase('B'), await makeCase('C'), await makeCase('D')]
    await addTest('gone long ago', { seen: 40, case: cases[0] ?? '' })
    await addTest('gone', { seen: 12, case: cases[1] ?? '' })
    await addTest('gone for 7 days', { seen: 7, case: cases[2] ?? '' })
    await addTest('of a suite that ran 9 times since', { seen: 12, series: 'nightly', case: cases[3] ?? '' })
    await addTest('gone without a link', { seen: 12 })
    expect(await names('gone')).toEqual(['gone long ago', 'gone'])
    const page = await list('gone', 'per_page=1')
    expect(page.meta).toEqual({ total: 2, next_after: 1, too_early_since: null })
    expect(page.data[0]).toMatchObject({ test_case: { id: cases[0], title: 'A' }, series: '', similarity: null })
    expect((await list('gone', 'per_page=1&after=1')).data.map(({ tests }) => tests[0]?.name)).toEqual(['gone'])
  })

  it('finds tests without a test case, with the one that they may belong to', async () => {
    const { addTest, makeCase, list } = await makeScenario()
    const target = await makeCase('A customer pays by credit card')
    await makeCase('Something else')
    await addTest('checkout > A customer pays by a credit card', { seen: 1 })
    await addTest('unlike all others', { seen: 1, known: 8 })
    await addTest('new', { seen: 1, known: 6 })
    await addTest('not seen', { seen: 9 })
    await addTest('linked', { seen: 1, case: target })
    const { data } = await list('unmatched')
    expect(data.map(({ tests, test_case }) => [tests[0]?.name, test_case?.id ?? null])).toEqual([
      ['checkout > A customer pays by a credit card', target],
      ['unlike all others', null],
    ])
    expect(data[0]?.similarity).toBeGreaterThan(0.6)
  })

  it('finds test cases that are claimed twice; parameters and variants are one test', async () => {
    const { addTest, makeCase, list } = await makeScenario()
    const [twice, rows, gone, byHand] = [
      await makeCase('A'),
      await makeCase('B'),
      await makeCase('C'),
      await makeCase('D'),
    ]
    for (const [id, other] of [
      [twice, { suite: 'cart', file: 'cart.test.ts' }],
      [rows, { suite: 'shop [2]' }],
      [gone, { suite: 'cart', file: 'cart.test.ts', seen: 9 }],
    ] as const) {
      await addTest(`${id} pays`, { seen: 1, case: id, linkedBy: 'id', suite: id === rows ? 'shop [1]' : 'shop' })
      await addTest(`${id} pays`, { seen: 1, case: id, linkedBy: 'id', ...other })
    }
    await addTest('one', { seen: 1, case: byHand })
    await addTest('two', { seen: 1, case: byHand, suite: 'cart', file: 'cart.test.ts' })
    const { data } = await list('twice')
    expect(data).toMatchObject([{ test_case: { id: twice }, count: 2 }])
    expect(data[0]?.tests.map(({ file }) => file)).toEqual(['shop.test.ts', 'cart.test.ts'])
  })

  it('finds where a test has moved, the best pair only', async () => {
    const { addRuns, addTest, makeCase, names } = await makeScenario()
    await addRuns(12)
    const cases = [await makeCase('A'), await makeCase('B'), await makeCase('C'), await makeCase('D')]
    await addTest('shop > pays by card', { seen: 12, case: cases[0] ?? '' })
    await addTest('cart > pays by card', { seen: 1, known: 11, suite: 'cart' })
    await addTest('pays by a card', { seen: 1, known: 11 })
    await addTest('sends an email to the customer', { seen: 12, case: cases[1] ?? '' })
    await addTest('sends an email to the customers', { seen: 1, known: 13 })
    // Too late, of another suite, and unlike it.
    await addTest('opens the drawer', { seen: 20, case: cases[2] ?? '' })
    await addTest('x > opens the drawer', { seen: 1, known: 12 })
    await addTest('y > opens the drawer', { seen: 1, known: 20, series: 'nightly' })
    await addTest('prints the receipt', { seen: 12, case: cases[3] ?? '' })
    await addTest('prints the invoice', { seen: 1, known: 12 })
    expect(await names('moved')).toEqual([
      'shop > pays by card → cart > pays by card',
      'sends an email to the customer → sends an email to the customers',
    ])
  })

  it('finds titles that say something else, and what is often tested by hand', async () => {
    const { addTest, makeCase, names, list, project, token } = await makeScenario()
    const [other, same, hand, seldom] = [
      await makeCase('The invoice has the right tax'),
      await makeCase('The customer pays'),
      await makeCase('Prints a label'),
      await makeCase('Prints two labels'),
    ]
    await addTest(`${other} logs out`, { seen: 1, case: other, linkedBy: 'id' })
    await addTest(`the customer pays ${same}`, { seen: 1, case: same, linkedBy: 'id' })
    await addTest(`${same} resets the cache`, { seen: 1, known: 29, case: same, linkedBy: 'id' })
    await addTest('by hand linked', { seen: 1, case: other })
    expect(await names('title')).toEqual([`${other} logs out`])
    for (let count = 0; count < 6; count += 1) {
      const body = { name: 'By hand', test_case_ids: [hand, seldom, same] }
      const run = await server.request<{ data: { id: string } }>('POST', `/v1/projects/${project.id}/runs`, {
        token,
        body,
      })
      const results = [
        { test_case_id: hand, status: count % 2 === 0 ? 'passed' : 'failed' },
        { test_case_id: same, status: 'passed' },
        ...(count < 4 ? [{ test_case_id: seldom, status: 'passed' }] : [{ test_case_id: seldom, status: 'blocked' }]),
      ]
      await server.request('POST', `/v1/runs/${run.body.data.id}/results/bulk`, { token, body: { results } })
    }
    expect((await list('by_hand')).data).toMatchObject([{ tests: [], test_case: { id: hand }, count: 6 }])
  })
})

describe('POST /v1/projects/:project_id/tests/:test_id/continue', () => {
  it('moves link, flake events, quarantine and history, and leaves no orphan behind', async () => {
    const scenario = await makeScenario()
    const { build, evaluate, findTestId, link, makeCase, path, project, token, get, quarantine, listFlakeEvents } =
      scenario
    const id = await makeCase('A customer pays')
    const first = await build({ old: ['failed', 'passed'] }, { metadata: { branch: 'main', commit: 'aaaaaaa' } })
    await evaluate(first.id)
    const second = await build({ old: 'failed' }, { metadata: { branch: 'main', commit: 'bbbbbbb' } })
    await evaluate(second.id)
    const newest = await build({ renamed: 'passed', other: 'passed' })
    await evaluate(newest.id)
    const [old, renamed, other] = [await findTestId('old'), await findTestId('renamed'), await findTestId('other')]
    await link(old, id)
    await quarantine(old)
    const send = async (testId: string, from: string) =>
      await server.request<{ data: ProjectTest }>('POST', `${path}/tests/${testId}/continue`, {
        token,
        body: { from_test_id: from },
      })
    const refuse = async (status: number, testId: string, from: string) =>
      await server.expectProblem(status, 'POST', `${path}/tests/${testId}/continue`, {
        token,
        body: { from_test_id: from },
      })
    expect((await refuse(409, renamed, other)).code).toBe('both_tests_run')
    expect((await refuse(400, renamed, renamed)).errors?.[0]?.path).toBe('/from_test_id')
    expect((await refuse(400, renamed, uuidv7())).errors?.[0]?.path).toBe('/from_test_id')
    await refuse(404, uuidv7(), old)

    const { status, body } = await send(renamed, old)
    expect([status, body.data.test_case_ids]).toEqual([200, [id]])
    expect(await listFlakeEvents()).toMatchObject([{ name: 'renamed', commit_key: 'aaaaaaa' }])
    expect(await get(`${path}/tests/${renamed}/stability`)).toMatchObject({
      data: { flake_commits: 1, quarantine: { reason: 'flaps' } },
    })
    expect(await get(`${path}/tests/${old}/stability`)).toMatchObject({ data: { events: [], quarantine: null } })
    expect((await get<{ data: ProjectTest }>(`${path}/tests/${old}`)).data.test_case_ids).toEqual([])
    const outcomes = await get<{ data: { run_id: string }[] }>(`${path}/tests/${renamed}/outcomes`)
    expect(outcomes.data.map(({ run_id: runId }) => runId)).toEqual([newest.id, second.id, first.id])
    const { rows: audit } = await sql<{ detail: unknown }>`
      select detail from audit_log where project_id = ${project.id} and action = 'quarantine.change'`.execute(server.db)
    expect(audit).toEqual([{ detail: { test_id: { from: old, to: renamed } } }])
    expect((await refuse(409, renamed, old)).code).toBe('already_continued')
    expect((await refuse(409, other, old)).code).toBe('already_continued')
    expect((await refuse(409, old, renamed)).code).toBe('already_continued')

    // Retention deletes the earlier test when nothing is left of it.
    await sql`delete from test_outcomes where project_id = ${project.id} and test_id = ${old}`.execute(server.db)
    await sql`
      update tests set created_at = now() - interval '99 days', retired_at = now() - interval '1 day', title_digest = id
      where id = ${old}`.execute(server.db)
    const settings = { runRetentionDays: null, testRetentionDays: 30, runFileRetentionDays: null }
    await createRetentionJob(settings).run(server.db, new AbortController().signal)
    const { rows: left } = await sql`
      select from tests t where project_id = ${project.id}
        and (id = ${old} or continues_id is not null and not exists (
          select from tests o where o.project_id = ${project.id} and o.id = t.continues_id
        ))`.execute(server.db)
    expect(left).toEqual([])
  })
})

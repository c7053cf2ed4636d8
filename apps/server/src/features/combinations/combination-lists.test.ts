import type { WorkRun } from '@caseward/contract/assignments'
import type { Combination } from '@caseward/contract/combinations'
import type { ResultChange } from '@caseward/contract/result-changes'
import type { ResultRow } from '@caseward/contract/result-rows'
import type { Run } from '@caseward/contract/run-schemas'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeCombinationScenario } from '@caseward/test-support/combination-scenario'

const server = useSharedServer()

describe('PATCH /v1/runs/:run_id/configurations', () => {
  it('keeps what results were as a combination of its own, and rolls up again when one is removed', async () => {
    const { project, ids, request, set, status, statuses, readRun } = await makeCombinationScenario(server, 2, null)
    const [first = '', second = ''] = ids
    await request('PUT', `/results/${first}`, { status: 'failed', note: 'Total is wrong' })
    const added = await request<{ data: Run }>('PATCH', '/configurations', {
      add: { groups: { browser: ['chrome', 'safari'] } },
    })
    expect(added).toMatchObject({ status: 200, body: { data: { combination_count: 5 } } })
    expect(await status(first)).toBe('failed')
    expect(await statuses(first)).toEqual(['chrome not_tested', 'safari not_tested', 'Other tests failed'])
    expect(await statuses(second)).toEqual(['chrome not_tested', 'safari not_tested'])
    await set(second, 1, 'passed')
    await set(second, 2, 'failed', { note: 'Blank page' })
    expect((await request('PATCH', '/configurations', { add: { groups: { browser: ['chrome'] } } })).status).toBe(400)
    expect((await request('PATCH', '/configurations', { remove: [5] })).body).toMatchObject({
      errors: [{ path: '/remove/0' }],
    })
    await request('PATCH', '/configurations', { remove: [2] })
    expect(await status(second)).toBe('passed')
    const changes = await request<{ data: ResultChange[] }>('GET', `/results/${second}/changes`)
    expect(changes.body.data[0]?.combinations).toMatchObject([{ place: 2, status: 'failed', note: 'Blank page' }])
    // A place is never given again.
    await request('PATCH', '/configurations', { add: { list: [{ values: { browser: 'safari' } }] } })
    expect((await readRun()).configurations?.map(({ place, name }) => `${place} ${name}`)).toEqual([
      '1 chrome',
      '3 safari',
      '32767 Other tests',
    ])
    await expectCorrectCounters(server, project.id)
    await request('PATCH', '/configurations', { remove: [1, 3, 32_767] })
    expect(await readRun()).not.toHaveProperty('configurations')
    expect(await readRun()).not.toHaveProperty('combination_count')
    expect([await status(first), await status(second)]).toEqual(['failed', 'not_tested'])
    await expectCorrectCounters(server, project.id)
  })

  it('deletes one combination only', async () => {
    const { project, ids, request, set, status, statuses } = await makeCombinationScenario(server, 2)
    const [first = '', second = ''] = ids
    await set(first, 1, 'passed')
    await set(first, 2, 'passed')
    expect((await request('DELETE', `/results/${first}/combinations/3`)).status).toBe(200)
    expect(await status(first)).toBe('passed')
    expect(await statuses(second)).toHaveLength(3)
    for (const place of [1, 2]) await request('DELETE', `/results/${first}/combinations/${place}`)
    expect(await statuses(first)).toEqual([])
    expect(await status(first)).toBe('passed')
    expect((await request('DELETE', `/results/${first}/combinations/1`)).status).toBe(404)
    await expectCorrectCounters(server, project.id)
  })
})

describe('lists and reruns of a run with configurations', () => {
  it('find results by their combinations, and combinations page by page', async () => {
    const { ids, set, request } = await makeCombinationScenario(server, 3)
    const [first = '', second = ''] = ids
    await set(first, 1, 'passed')
    await set(second, 1, 'failed')
    await set(second, 2, 'passed')
    const find = async (query: string) =>
      (await request<{ data: { test_case_id: string }[]; meta: { total: number } }>('GET', `/results?${query}`)).body
    expect((await find('combination_status=failed')).data.map((row) => row.test_case_id)).toEqual([second])
    expect(await find('configuration=1&combination_status=failed&combination_status=passed')).toMatchObject({
      meta: { total: 2 },
    })
    expect(await find('configuration=2&combination_status=failed')).toMatchObject({ meta: { total: 0 } })
    expect(await find('configuration=3')).toMatchObject({ meta: { total: 3 } })
    const list = async (query: string) =>
      (await request<{ data: Combination[]; meta: { next_after: string | null } }>('GET', `/combinations?${query}`))
        .body
    const all = await list('')
    expect(all.data).toHaveLength(9)
    const [one] = all.data
    expect((await list(`after=${one?.result_id}.${one?.place}`)).data).toEqual(all.data.slice(1))
    expect((await list('configuration=1&status=failed')).data).toMatchObject([{ test_case_id: second, name: 'chrome' }])
    expect((await list('assigned_to=nobody&configuration=2')).data).toHaveLength(3)
  })

  it('assign combinations by configuration, in turn, and count them in the work of their people', async () => {
    const { project, ids, request, run } = await makeCombinationScenario(server, 3)
    const member = await makeMember(server, project.id, 'member')
    const assign = (body: object) =>
      request<{ data: { assigned: number } }>('POST', '/results/assign', { result_ids: ids, ...body })
    expect((await assign({ configurations: [1, 3], user_ids: [member.id, project.admin.id] })).body).toEqual({
      data: { assigned: 6 },
    })
    expect((await assign({ configurations: [4], user_ids: [] })).body).toMatchObject({
      errors: [{ path: '/configurations/0' }],
    })
    const list = async (query: string) =>
      (await request<{ data: Combination[] }>('GET', `/combinations?${query}`)).body.data.map(({ name }) => name)
    expect(await list(`assigned_to=${member.id}`)).toEqual(['chrome', 'chrome', 'chrome'])
    expect(await list('assigned_to=me')).toEqual(['safari', 'safari', 'safari'])
    const work = await server.request<{ data: WorkRun[] }>('GET', '/v1/me/work', { token: member.token })
    expect(work.body.data).toMatchObject([{ id: run.id, stats: { not_tested: 3, passed: 0 } }])
    const rows = await request<{ data: ResultRow[] }>('GET', `/results?fields=row&assigned_to=${member.id}`)
    expect(rows.body.data).toHaveLength(3)
    await assign({ configurations: [1], user_ids: [] })
    expect((await server.request('GET', '/v1/me/work', { token: member.token })).body).toEqual({ data: [] })
  })

  it('repeat only the combinations that failed', async () => {
    const { project, ids, run, set, token } = await makeCombinationScenario(server, 3)
    const [first = '', second = ''] = ids
    for (const place of [1, 2, 3]) await set(first, place, place === 2 ? 'failed' : 'passed')
    await set(second, 1, 'blocked')
    await set(second, 3, 'failed')
    const rerun = async (body: object) =>
      (await server.request<{ data: Run }>('POST', `/v1/runs/${run.id}/reruns`, { token, body })).body.data
    const failed = await rerun({ statuses: ['failed'] })
    expect(failed).toMatchObject({
      result_count: 2,
      combination_count: 2,
      configurations: [
        { name: 'firefox', stats: { not_tested: 1 } },
        { name: 'safari', stats: { not_tested: 1 } },
      ],
    })
    // The result is failed; one of its combinations is blocked.
    expect(await rerun({ statuses: ['blocked'] })).toMatchObject({ result_count: 1, combination_count: 1 })
    expect(await rerun({ test_case_ids: [first] })).toMatchObject({ result_count: 1, combination_count: 3 })
    await expectCorrectCounters(server, project.id)
    await server.request('DELETE', `/v1/runs/${run.id}`, { token })
    const left = await server.db
      .selectFrom('result_combinations')
      .select('place')
      .where('run_id', '=', run.id)
      .execute()
    expect(left).toEqual([])
  })

  it('take over what a server of an earlier version has written', async () => {
    const { project, ids, run, set, status, statuses } = await makeCombinationScenario(server, 1)
    const [id = ''] = ids
    for (const place of [1, 2, 3]) await set(id, place, 'passed')
    // It knows nothing of combinations.
    await sql`
      with written as (update test_results set status = 'failed' where run_id = ${run.id})
      update runs set failed_count = 1, passed_count = 0 where id = ${run.id}`.execute(server.db)
    await set(id, 1, 'passed')
    expect(await status(id)).toBe('failed')
    expect(await statuses(id)).toEqual(['chrome passed', 'firefox failed', 'safari failed'])
    await expectCorrectCounters(server, project.id)
  })
})

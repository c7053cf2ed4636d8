import type { WorkRun } from '@caseward/contract/assignments'
import type { Combination } from '@caseward/contract/combinations'
import type { ResultChange } from '@caseward/contract/result-changes'
import type { ResultRow } from '@caseward/contract/result-rows'
import { RESULT_STATUSES, type ResultStatus } from '@caseward/contract/results'
import type { NewRunConfigurations } from '@caseward/contract/run-configurations'
import type { Run } from '@caseward/contract/runs'
import { rollUpSteps } from '@caseward/matching/roll-up-steps'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import {
  getRunResults,
  makeCiToken,
  makeConfigurations,
  makeProject,
  makeRun,
  makeTestCases,
} from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

const server = useTestServer()

const THREE: NewRunConfigurations = { groups: { browser: ['chrome', 'firefox', 'safari'] } }

/** A run of test cases that are tested in browsers. */
async function makeScenario(count = 2, configurations: NewRunConfigurations | null = THREE) {
  const project = await makeProject(server)
  await makeConfigurations(server, project, { browser: ['chrome', 'firefox', 'safari'], system: ['windows', 'mac'] })
  const ids = await makeTestCases(server, project, count)
  const run = await makeRun(server, project, configurations === null ? {} : { configurations })
  const { token } = project.admin
  const url = `/v1/runs/${run.id}`
  const request = async <T>(method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    await server.request<T>(method, `${url}${path}`, body === undefined ? { token } : { token, body })
  const ci = await makeCiToken(server, project)
  const combinations = async (id: string) =>
    (await request<{ data: Combination[] }>('GET', `/results/${id}/combinations`)).body.data
  return {
    project,
    ids,
    run,
    token,
    request,
    readRun: async () => (await request<{ data: Run }>('GET', '')).body.data,
    status: async (id: string) => (await getRunResults(server, run.id, token)).get(id)?.status,
    combinations,
    statuses: async (id: string) => (await combinations(id)).map(({ name, status }) => `${name} ${status}`),
    set: async (id: string, place: number, status: ResultStatus, more: object = {}) =>
      await request<{ data: Combination; code?: string }>('PUT', `/results/${id}/combinations/${place}`, {
        status,
        ...more,
      }),
    upload: async (tests: object[], more: object = {}) =>
      await server.request<{ stats: object; errors?: object[] }>('POST', '/v1/results', {
        token: ci,
        body: { run_id: run.id, format: 'tests', tests, ...more },
      }),
    uploadItems: async (results: object[], more: object = {}) =>
      await server.request('POST', '/v1/results', { token: ci, body: { run_id: run.id, results, ...more } }),
  }
}

const test = (id: string, variant: string, status: string, name = 'Pays') => ({
  name: `${name} ${id}`,
  variant,
  test_case_ids: [id],
  attempts: [{ status, ...(status === 'failed' ? { message: `broken in ${variant}` } : {}) }],
})

describe('a run with configurations', () => {
  it('combines every value of the groups, or every pair, and counts before anything is stored', async () => {
    const { project, run, token, combinations, ids } = await makeScenario(2, {
      groups: { system: ['windows', 'mac'], browser: ['chrome', 'firefox', 'safari'] },
    })
    expect(run.configurations?.map(({ place, name }) => `${place} ${name}`)).toEqual([
      '1 chrome, windows',
      '2 chrome, mac',
      '3 firefox, windows',
      '4 firefox, mac',
      '5 safari, windows',
      '6 safari, mac',
    ])
    expect(run).toMatchObject({ combination_count: 12, result_count: 2, stats: { not_tested: 2 } })
    expect(await combinations(ids[0] ?? '')).toHaveLength(6)
    await makeConfigurations(server, project, { device: ['phone', 'desk'] })
    const pairs = await makeRun(server, project, {
      configurations: {
        mode: 'pairwise',
        groups: { browser: ['chrome', 'firefox', 'safari'], system: ['windows', 'mac'], device: ['phone', 'desk'] },
      },
    })
    expect(pairs.configurations).toHaveLength(6)
    await expectCorrectCounters(server, project.id)
    const count = async () =>
      (await server.db.selectFrom('runs').select('id').where('project_id', '=', project.id).execute()).length
    const before = await count()
    const post = (configurations: object) =>
      server.request('POST', `/v1/projects/${project.id}/runs`, { token, body: { name: 'No', configurations } })
    for (const [body, path] of [
      [{ groups: { browser: ['edge'] } }, '/configurations/groups/browser/0'],
      [{ groups: { screen: ['wide'] } }, '/configurations/groups/screen/0'],
      [{}, '/configurations'],
      [{ list: [{ values: { browser: 'nope' } }] }, '/configurations/list/0/values/browser'],
      [
        { list: [{ values: { browser: 'chrome' } }, { values: { browser: 'chrome' } }] },
        '/configurations/list/1/values',
      ],
      [
        { list: [{ values: { browser: 'chrome' }, selection: { test_case_ids: ['WEB-99'] } }] },
        '/configurations/list/0/selection/test_case_ids/0',
      ],
    ] as const) {
      expect(await post(body)).toMatchObject({ status: 400, body: { errors: [{ path }] } })
    }
    expect(await count()).toBe(before)
  })

  it('tests only the chosen test cases with a configuration, and gives test cases that join what all have', async () => {
    const { project, ids, request, token, readRun, statuses } = await makeScenario(3, {
      list: [
        { values: { browser: 'chrome' } },
        { values: { browser: 'safari' }, selection: { test_case_ids: ['WEB-2'] } },
      ],
    })
    expect(await statuses(ids[0] ?? '')).toEqual(['chrome not_tested'])
    expect(await statuses('WEB-2')).toEqual(['chrome not_tested', 'safari not_tested'])
    const [, second] = await makeTestCases(server, project, 2)
    expect((await request('POST', '/test-cases', { test_case_ids: [second] })).status).toBe(200)
    expect(await statuses(second ?? '')).toEqual(['chrome not_tested'])
    expect(await readRun()).toMatchObject({ combination_count: 5, result_count: 4 })
    await request('DELETE', '/test-cases', { test_case_ids: ['WEB-2'] })
    expect(await readRun()).toMatchObject({ combination_count: 3 })
    await expectCorrectCounters(server, project.id)
    const runs = await server.request<{ data: Run[] }>('GET', `/v1/projects/${project.id}/runs`, { token })
    expect(runs.body.data[0]?.configurations).toHaveLength(2)
  })

  it('refuses more than 100 configurations and 200,000 combinations whole', async () => {
    const { project, token } = await makeScenario(1, null)
    const keys = Array.from({ length: 11 }, (_, index) => `v${index}`)
    await makeConfigurations(server, project, { first: keys, second: keys })
    const post = (configurations: object) =>
      server.request('POST', `/v1/projects/${project.id}/runs`, { token, body: { name: 'Large', configurations } })
    const groups = { first: keys, second: keys }
    expect(await post({ groups })).toMatchObject({ status: 422, body: { code: 'too_many_combinations' } })
    expect(await post({ groups, mode: 'pairwise' })).toMatchObject({ status: 422 })
    await sql`
      insert into test_cases (project_id, number, title)
      select ${project.id}::uuid, n, 'Case ' || n from generate_series(2, 2001) n`.execute(server.db)
    await sql`update projects set test_case_count = 2001, last_test_case_number = 2001 where id = ${project.id}`.execute(
      server.db,
    )
    const hundred = { first: keys.slice(0, 10), second: keys.slice(0, 10) }
    expect(await post({ groups: hundred })).toMatchObject({ status: 422, body: { code: 'too_many_combinations' } })
    const ids = Array.from({ length: 2000 }, (_, index) => `WEB-${index + 1}`)
    const reply = await server.request<{ data: Run }>('POST', `/v1/projects/${project.id}/runs`, {
      token,
      body: { name: 'Largest', test_case_ids: ids, configurations: { groups: hundred } },
    })
    expect(reply).toMatchObject({ status: 201, body: { data: { combination_count: 200_000 } } })
  }, 120_000)
})

describe('writes to combinations', () => {
  it('roll up to the result in any order, and what is replaced is kept', async () => {
    const { project, ids, run, set, status, statuses, request, readRun } = await makeScenario()
    const [id = ''] = ids
    expect(await set(id, 1, 'passed', { elapsed: 10 })).toMatchObject({
      status: 200,
      body: { data: { status: 'passed', name: 'chrome' } },
    })
    expect(await status(id)).toBe('not_tested')
    // Without a duration, there is none, and not the largest.
    await set(ids[1] ?? '', 1, 'not_tested')
    expect((await getRunResults(server, run.id, project.admin.token)).get(ids[1] ?? '')?.elapsed).toBeNull()
    await set(id, 2, 'failed', { note: 'Error 500\nmore', elapsed: 5 })
    await set(id, 3, 'blocked')
    expect(await status(id)).toBe('failed')
    const rows = await request<{ data: ResultRow[] }>('GET', '/results?fields=row')
    expect(rows.body.data[0]).toMatchObject({
      combination_statuses: ['passed', 'failed', 'blocked'],
      note_line: 'Error 500',
      elapsed: 15,
    })
    expect(rows.body.data[0]).not.toHaveProperty('more_combinations')
    await set(id, 2, 'passed', { note: null })
    expect(await status(id)).toBe('blocked')
    const changes = await request<{ data: ResultChange[] }>('GET', `/results/${id}/changes`)
    expect(changes.body.data).toMatchObject([
      { status: 'failed', combinations: [{ place: 2, status: 'failed', note: 'Error 500\nmore' }] },
    ])
    await set(id, 3, 'passed')
    expect(await status(id)).toBe('passed')
    expect(await statuses(id)).toEqual(['chrome passed', 'firefox passed', 'safari passed'])
    expect(await readRun()).toMatchObject({
      stats: { passed: 1, not_tested: 1 },
      configurations: [{ stats: { passed: 1, not_tested: 1 } }, { stats: { passed: 1 } }, { stats: { passed: 1 } }],
    })
    await expectCorrectCounters(server, project.id)
    expect(await set(id, 9, 'passed')).toMatchObject({ status: 404 })
    expect((await request('PUT', `/results/${id}/combinations/x`, { status: 'passed' })).status).toBe(404)
    await request('PATCH', '', { status: 'completed' })
    expect(await set(id, 1, 'failed')).toMatchObject({ status: 409, body: { code: 'run_completed' } })
    expect(
      (await server.request('GET', `/v1/runs/${run.id}/combinations?status=failed`, { token: project.admin.token }))
        .body,
    ).toMatchObject({ data: [] })
  })

  it('set all combinations when the result is set, as clients do that know nothing of them', async () => {
    const { project, ids, set, statuses, request } = await makeScenario()
    const [first = '', second = ''] = ids
    await set(first, 2, 'failed', { note: 'Safari only' })
    const put = await request('PUT', `/results/${first}`, { status: 'passed', note: 'All fine', elapsed: 40 })
    expect(put.body).toMatchObject({ data: { status: 'passed', note: 'All fine', elapsed: 40 } })
    expect(await statuses(first)).toEqual(['chrome passed', 'firefox passed', 'safari passed'])
    const changes = await request<{ data: ResultChange[] }>('GET', `/results/${first}/changes`)
    expect(changes.body.data[0]?.combinations).toMatchObject([{ place: 2, status: 'failed', note: 'Safari only' }])
    const bulk = await request('POST', '/results/bulk', {
      results: [
        { test_case_id: first, status: 'retest', place: 1 },
        { test_case_id: first, status: 'blocked', place: 3, note: 'No device' },
        { test_case_id: second, status: 'failed' },
        { test_case_id: second, status: 'passed', place: 7 },
      ],
    })
    expect(bulk).toMatchObject({
      status: 207,
      body: { data: { updated: 2, errors: [{ test_case_id: second, code: 'no_such_combination' }] } },
    })
    expect(await statuses(first)).toEqual(['chrome retest', 'firefox passed', 'safari blocked'])
    expect(await statuses(second)).toEqual(['chrome failed', 'firefox failed', 'safari failed'])
    await expectCorrectCounters(server, project.id)
  })

  it('keep what someone else has set meanwhile', async () => {
    const { ids, set, request, statuses } = await makeScenario(1)
    const [id = ''] = ids
    expect((await set(id, 1, 'failed', { base_tested_at: null })).status).toBe(200)
    // The same request again.
    expect((await set(id, 1, 'failed', { base_tested_at: null })).status).toBe(200)
    expect(await set(id, 1, 'passed', { base_tested_at: null })).toMatchObject({
      status: 409,
      body: { code: 'newer_result', current: { status: 'failed' } },
    })
    const results = [
      { test_case_id: id, status: 'passed', place: 1, base_tested_at: null },
      { test_case_id: id, status: 'passed', place: 2, base_tested_at: null },
    ]
    expect(await request('POST', '/results/bulk', { results })).toMatchObject({
      status: 207,
      body: { data: { errors: [{ code: 'newer_result' }] } },
    })
    expect(await statuses(id)).toEqual(['chrome failed', 'firefox passed', 'safari not_tested'])
  })

  it('leave counters equal to a recount under 50 parallel writers of all kinds', async () => {
    const { project, ids, set, request, upload, uploadItems, combinations, run, token } = await makeScenario(4)
    const pick = (index: number) => ids[index % ids.length] ?? ''
    const statusOf = (index: number) => RESULT_STATUSES[index % RESULT_STATUSES.length] ?? 'passed'
    const writes = Array.from({ length: 50 }, (_, index) => async () => {
      if (index % 5 === 0) return await request('PUT', `/results/${pick(index)}`, { status: statusOf(index) })
      if (index % 5 === 1)
        return await upload([
          test(pick(index), ['chrome', 'safari', 'edge'][index % 3] ?? '', index % 2 ? 'passed' : 'failed'),
        ])
      if (index % 5 === 2)
        return await uploadItems([{ test_case_id: pick(index), status: statusOf(index) }], { variant: 'firefox' })
      return await set(pick(index), (index % 3) + 1, statusOf(index * 7))
    })
    const replies = await Promise.all(writes.map((write) => write()))
    expect(replies.map(({ status }) => status).filter((status) => status !== 200)).toEqual([])
    await expectCorrectCounters(server, project.id)
    const results = await getRunResults(server, run.id, token)
    for (const id of ids) {
      expect(results.get(id)?.status).toBe(rollUpSteps((await combinations(id)).map(({ status }) => status)))
    }
  })
})

describe('uploads to a run with configurations', () => {
  it('fill the columns of their variants, and never turn the failure of another one green', async () => {
    const { project, ids, upload, status, statuses, combinations } = await makeScenario(1)
    const [id = ''] = ids
    const at = (second: number) => ({ finished_at: `2026-01-01T00:00:0${second}Z` })
    await upload([test(id, 'firefox', 'failed'), test(id, 'chrome', 'passed')], at(1))
    expect(await statuses(id)).toEqual(['chrome passed', 'firefox failed', 'safari not_tested'])
    expect((await combinations(id))[1]?.note).toContain('broken in firefox')
    const receipt = await upload([test(id, 'chrome', 'passed'), test(id, 'safari', 'passed')], at(2))
    expect(receipt.body).toMatchObject({ stats: { failed: 1, passed: 0 } })
    expect(await status(id)).toBe('failed')
    // A browser that the run does not know is part of the roll-up, too.
    await upload([test(id, 'firefox', 'passed'), test(id, 'edge', 'failed')], at(3))
    expect(await statuses(id)).toEqual(['chrome passed', 'firefox passed', 'safari passed', 'Other tests failed'])
    expect(await status(id)).toBe('failed')
    await upload([test(id, 'edge', 'passed')], at(4))
    expect(await status(id)).toBe('passed')
    // An older report changes nothing.
    await upload([test(id, 'safari', 'failed')], at(1))
    expect(await status(id)).toBe('passed')
    await expectCorrectCounters(server, project.id)
  })

  it('keep all tests of one combination together: the worst counts, from whichever upload', async () => {
    const { ids, upload, statuses } = await makeScenario(1)
    const [id = ''] = ids
    await upload([test(id, 'chrome', 'failed', 'Total'), test(id, 'firefox', 'passed', 'Total')])
    await upload([test(id, 'chrome', 'passed', 'Discount')])
    expect(await statuses(id)).toEqual(['chrome failed', 'firefox passed', 'safari not_tested'])
  })

  it('of what a user set by hand, set only what was tested later, place by place', async () => {
    const { ids, upload, set, statuses } = await makeScenario(1)
    const [id = ''] = ids
    await upload([test(id, 'chrome', 'failed', 'Total'), test(id, 'firefox', 'failed', 'Total')])
    await set(id, 1, 'passed')
    await upload([test(id, 'chrome', 'passed', 'Discount'), test(id, 'firefox', 'passed', 'Discount')])
    // The failure in Firefox still counts; that in Chrome was set aside.
    expect(await statuses(id)).toEqual(['chrome passed', 'firefox failed', 'safari not_tested'])
  })

  it('set all combinations by id, or those of the variant of the upload', async () => {
    const { ids, uploadItems, statuses, status } = await makeScenario(1)
    const [id = ''] = ids
    await uploadItems([{ test_case_id: id, status: 'passed', note: 'fine' }])
    expect(await statuses(id)).toEqual(['chrome passed', 'firefox passed', 'safari passed'])
    await uploadItems([{ test_case_id: id, status: 'failed' }], { variant: 'firefox' })
    await uploadItems([{ test_case_id: id, status: 'passed' }], { variant: 'chrome' })
    expect(await status(id)).toBe('failed')
    const dry = await uploadItems([{ test_case_id: id, status: 'passed' }], { dry_run: true })
    expect(dry.body).toMatchObject({ uploaded_count: 1, stats: { passed: 1 } })
    expect(await statuses(id)).toEqual(['chrome passed', 'firefox failed', 'safari passed'])
  })

  it('give test cases that join the run its configurations', async () => {
    const { project, ids, token } = await makeScenario(2, null)
    const body = { name: 'CI', run_key: 'build-1', configurations: THREE }
    const { body: created } = await server.request<{ data: Run }>('POST', `/v1/projects/${project.id}/runs`, {
      token,
      body,
    })
    expect(created.data).toMatchObject({ combination_count: 0, configurations: [{}, {}, {}] })
    const ci = await makeCiToken(server, project)
    const tests = ids.flatMap((id) => [test(id, 'chrome', 'passed'), test(id, 'safari', 'failed')])
    await server.request('POST', '/v1/results', {
      token: ci,
      body: { run_id: created.data.id, format: 'tests', tests },
    })
    const { body: run } = await server.request<{ data: Run }>('GET', `/v1/runs/${created.data.id}`, { token })
    expect(run.data).toMatchObject({
      combination_count: 6,
      stats: { failed: 2 },
      configurations: [{ stats: { passed: 2 } }, { stats: { not_tested: 2 } }, { stats: { failed: 2 } }],
    })
    await expectCorrectCounters(server, project.id)
  })
})

describe('PATCH /v1/runs/:run_id/configurations', () => {
  it('keeps what results were as a combination of its own, and rolls up again when one is removed', async () => {
    const { project, ids, request, set, status, statuses, readRun } = await makeScenario(2, null)
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
    const { project, ids, request, set, status, statuses } = await makeScenario(2)
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
    const { ids, set, request } = await makeScenario(3)
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
    const { project, ids, request, run } = await makeScenario(3)
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
    const { project, ids, run, set, token } = await makeScenario(3)
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
    const { project, ids, run, set, status, statuses } = await makeScenario(1)
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

import type { ResultChange } from '@caseward/contract/result-changes'
import type { ResultRow } from '@caseward/contract/result-rows'
import { RESULT_STATUSES } from '@caseward/contract/results'
import type { Run } from '@caseward/contract/run-schemas'
import { rollUpSteps } from '@caseward/matching/roll-up-steps'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { getRunResults, makeConfigurations, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeCombinationScenario, makeVariant } from '@caseward/test-support/combination-scenario'

const server = useSharedServer()

describe('a run with configurations', () => {
  it('combines every value of the groups, or every pair, and counts before anything is stored', async () => {
    const { project, run, token, combinations, ids } = await makeCombinationScenario(server, 2, {
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
    const { project, ids, request, token, readRun, statuses } = await makeCombinationScenario(server, 3, {
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
    const { project, token } = await makeCombinationScenario(server, 1, null)
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
    const { project, ids, run, set, status, statuses, request, readRun } = await makeCombinationScenario(server)
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
      combination_statuses: 'pfb',
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
    const { project, ids, set, statuses, request } = await makeCombinationScenario(server)
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
    const { token } = project.admin
    const path = `/v1/projects/${project.id}/test-cases/${second}`
    const changed = await server.request('PATCH', path, { token, body: { steps: [{ action: 'Open the shop' }] } })
    expect(changed.status).toBe(200)
    const steps = [{ position: 1, status: 'failed' }]
    const stepped = { results: [{ test_case_id: second, status: 'passed', place: 7, steps }] }
    expect(await request('POST', '/results/bulk', stepped)).toMatchObject({
      status: 207,
      body: { data: { updated: 0, errors: [{ test_case_id: second, code: 'no_such_combination' }] } },
    })
    const { rows } = await sql`select from step_results where project_id = ${project.id}`.execute(server.db)
    expect(rows).toEqual([])
    expect(await statuses(first)).toEqual(['chrome retest', 'firefox passed', 'safari blocked'])
    expect(await statuses(second)).toEqual(['chrome failed', 'firefox failed', 'safari failed'])
    await expectCorrectCounters(server, project.id)
  })

  it('keep what someone else has set meanwhile', async () => {
    const { ids, set, request, statuses } = await makeCombinationScenario(server, 1)
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
    const { project, ids, set, request, upload, uploadItems, combinations, run, token } = await makeCombinationScenario(
      server,
      4,
    )
    const pick = (index: number) => ids[index % ids.length] ?? ''
    const statusOf = (index: number) => RESULT_STATUSES[index % RESULT_STATUSES.length] ?? 'passed'
    const writes = Array.from({ length: 50 }, (_, index) => async () => {
      if (index % 5 === 0) return await request('PUT', `/results/${pick(index)}`, { status: statusOf(index) })
      if (index % 5 === 1)
        return await upload([
          makeVariant(pick(index), ['chrome', 'safari', 'edge'][index % 3] ?? '', index % 2 ? 'passed' : 'failed'),
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

import type { CombinationRow } from '@caseward/contract/combinations'
import { makeConfigurations, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

interface Page {
  data: CombinationRow[]
  meta: { total: number; next_after: string | null }
}

describe('GET /v1/runs/:run_id/combination-rows', () => {
  it('returns all combinations of each result that has some, page by page, and only what has changed', async () => {
    const project = await makeProject(server)
    const { token } = project.admin
    await makeConfigurations(server, project, { browser: ['chrome', 'firefox'], system: ['mac'] })
    const [first = '', second = '', third = ''] = await makeTestCases(server, project, 3)
    const run = await makeRun(server, project, {
      configurations: {
        list: [
          { values: { browser: 'chrome' } },
          { values: { browser: 'firefox' }, selection: { test_case_ids: [second] } },
          { values: { system: 'mac' }, selection: { test_case_ids: [first, second] } },
        ],
      },
    })
    const url = `/v1/runs/${run.id}/combination-rows`
    const read = async (query = '') => (await server.request<Page>('GET', `${url}${query}`, { token })).body
    const set = async (id: string, place: number, status: string) =>
      await server.request('PUT', `/v1/runs/${run.id}/results/${id}/combinations/${place}`, { token, body: { status } })
    await set(second, 2, 'failed')

    const { data, meta } = await read()
    expect(meta).toEqual({ total: 3, next_after: null })
    expect(data.map(({ places, configurations, statuses }) => ({ places, configurations, statuses }))).toEqual([
      { places: [1, 3], configurations: [1, 3], statuses: ['not_tested', 'not_tested'] },
      { places: [1, 2, 3], configurations: [1, 2, 3], statuses: ['not_tested', 'failed', 'not_tested'] },
      { places: [1], configurations: [1], statuses: ['not_tested'] },
    ])
    expect(data.map(({ tested_at: at }) => at === null)).toEqual([true, false, true])
    expect(data[0]).not.toHaveProperty('assigned_to')

    const me = await server.request<{ data: { id: string } }>('GET', '/v1/me', { token })
    const user = me.body.data.id
    await server.request('POST', `/v1/runs/${run.id}/results/assign`, {
      token,
      body: { result_ids: [first, second, third], user_ids: [user], configurations: [3] },
    })
    const page = await read('?per_page=2')
    expect(page.data.map(({ assigned_to: assignees }) => assignees)).toEqual([
      [null, user],
      [null, null, user],
    ])
    expect(await read(`?per_page=2&after=${page.meta.next_after}`)).toMatchObject({
      data: [{ places: [1] }],
      meta: { total: 3, next_after: null },
    })

    await server.db
      .updateTable('test_results')
      .set({ changed_at: new Date('2020-01-01') })
      .execute()
    const since = new Date(Date.now() - 1000).toISOString()
    await set(third, 1, 'passed')
    expect(await read(`?changed_since=${since}`)).toMatchObject({
      data: [{ statuses: ['passed'] }],
      meta: { total: 1 },
    })
  })
})

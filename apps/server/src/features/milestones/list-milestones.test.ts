import { MILESTONE_STATUSES, type MilestoneListItem } from '@caseward/contract/milestones'
import { describe, expect, it } from 'vitest'

import { makeMilestone, makeProject } from '@caseward/test-support/factories'
import { makeMilestoneScenario } from '@caseward/test-support/milestone-scenario'
import { getErrorPaths } from '@caseward/test-support/send-request'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

interface MilestonePage {
  data: MilestoneListItem[]
  meta: { page: number; per_page: number; total: number }
}

async function makeScenario(cases = 0) {
  const scenario = await makeMilestoneScenario(server, cases)
  return {
    ...scenario,
    async list(query = ''): Promise<MilestonePage> {
      const response = await server.request<MilestonePage>('GET', scenario.path + query, { token: scenario.token })
      expect(response.status).toBe(200)
      return response.body
    },
  }
}
const names = ({ data }: MilestonePage) => data.map(({ name }) => name)

describe('GET /v1/projects/:project_id/milestones', () => {
  it(
    'returns items with exactly the fields of the specification',
    { tags: ['spec:milestones/get-all-items-carry-exactly-ten-fields'] },
    async () => {
      const { make, list } = await makeScenario()
      const { phase: _p, date_mode: _m, ...item } = await make({ description: 'All', due_date: '2026-12-01' })
      expect((await list()).data).toEqual([item])
      expect(Object.keys(item)).toEqual([
        'id',
        'name',
        'description',
        'start_date',
        'due_date',
        'status',
        'parent_id',
        'progress',
        'created_at',
        'updated_at',
      ])
    },
  )

  it(
    'returns a page of the milestones and sub-milestones of this project only, the newest first',
    { tags: ['spec:milestones/parent_id-is-null-at-the-top', 'spec:milestones/get-all-paginated'] },
    async () => {
      const { make, list } = await makeScenario()
      await makeMilestone(server, await makeProject(server))
      const { id: parent_id } = await make({ name: 'a' })
      for (const name of ['b', 'c']) await make({ name })
      for (const name of ['d', 'e']) await make({ name, parent_id })
      expect(names(await list())).toEqual(['e', 'd', 'c', 'b', 'a'])
      expect((await list()).data.map((item) => item.parent_id)).toEqual([parent_id, parent_id, null, null, null])
      const second = await list('?per_page=2&page=2')
      expect([names(second), second.meta]).toEqual([['c', 'b'], { page: 2, per_page: 2, total: 5 }])
    },
  )

  it('adds phase, date mode, and the runs of sub-milestones, with fields=all', async () => {
    const { make, link, list } = await makeScenario(3)
    const { id: parent_id } = await make({ name: 'Release', due_date: '2020-01-01' })
    const beta = await make({ name: 'Beta', parent_id, start_date: '2999-01-01' })
    await make({ name: 'None' })
    await link(parent_id, 1)
    await link(beta.id, 2)
    const { data } = await list('?fields=all')
    const none = { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
    expect(data.map(({ phase, date_mode, run_count, stats }) => ({ phase, date_mode, run_count, stats }))).toEqual([
      { phase: 'started', date_mode: 'auto', run_count: 0, stats: none },
      { phase: 'upcoming', date_mode: 'auto', run_count: 1, stats: { ...none, passed: 1, failed: 1, not_tested: 1 } },
      { phase: 'past_due', date_mode: 'auto', run_count: 2, stats: { ...none, passed: 2, failed: 1, not_tested: 3 } },
    ])
  })

  it('returns no items and the correct total for a page past the end', async () => {
    const { make, list } = await makeScenario()
    await make()
    expect(await list('?page=9007199254740991&per_page=100')).toEqual({
      data: [],
      meta: { page: 9007199254740991, per_page: 100, total: 1 },
    })
  })

  it('returns an empty list for a project without milestones', { tags: ['spec:milestones/get-all-200'] }, async () => {
    const { list } = await makeScenario()
    expect(await list()).toEqual({ data: [], meta: { page: 1, per_page: 20, total: 0 } })
  })

  it('derives status, progress and dates also from sub-milestones on other pages', async () => {
    const { make, change, link, list, read } = await makeScenario(4)
    const { id } = await make({ name: 'parent' })
    const first = await make({ parent_id: id, start_date: '2026-11-01', due_date: '2026-11-10' })
    const second = await make({ parent_id: id, due_date: '2026-11-20' })
    await link(first.id, 1)
    await link(id, 4)
    await change(second.id, { status: 'completed' })
    const [item] = (await list('?page=3&per_page=1')).data
    expect(item).toMatchObject({
      name: 'parent',
      status: 'active',
      progress: 63,
      start_date: '2026-11-01T00:00:00.000Z',
      due_date: '2026-11-20T00:00:00.000Z',
    })
    expect(await read(id)).toMatchObject(item ?? {})
  })

  it('computes progress over all runs of each milestone', async () => {
    const { make, link, list } = await makeScenario(4)
    const [first, second] = [await make({ name: 'a' }), await make({ name: 'b' })]
    await link(first.id, 1)
    await link(first.id, 4)
    await link(second.id, 3)
    expect((await list()).data.map(({ name, progress }) => [name, progress])).toEqual([
      ['b', 75],
      ['a', 63],
    ])
  })

  it(
    'filters by the status, own or derived, with correct totals',
    {
      tags: [
        'spec:milestones/active-completed-archived-filter-the-list',
        'spec:milestones/get-all-status-is-active-completed-or-archived',
      ],
    },
    async () => {
      const { make, change, list, read } = await makeScenario()
      for (const first of MILESTONE_STATUSES) {
        await change((await make()).id, { status: first })
        for (const second of MILESTONE_STATUSES) {
          const parent = await make()
          // Its own status has no effect once it has sub-milestones.
          await change(parent.id, { status: second })
          for (const status of [first, second]) await change((await make({ parent_id: parent.id })).id, { status })
        }
      }
      const { data: all } = await list('?per_page=100')
      expect(all).toHaveLength(30)
      for (const item of all) expect((await read(item.id)).status).toBe(item.status)
      for (const status of MILESTONE_STATUSES) {
        const expected = all.filter((item) => item.status === status)
        expect(expected.length).toBeGreaterThan(5)
        const page = await list(`?status=${status}&per_page=100`)
        expect([page.data, page.meta.total]).toEqual([expected, expected.length])
        const secondPage = await list(`?status=${status}&per_page=2&page=2`)
        expect([secondPage.data, secondPage.meta.total]).toEqual([expected.slice(2, 4), expected.length])
      }
    },
  )

  it.each([['status=started'], ['status='], ['page=0'], ['page=x'], ['per_page=0'], ['per_page=101']])(
    'returns 400 for the query ?%s',
    {
      tags: [
        'spec:milestones/active-completed-archived-filter-the-list',
        'spec:milestones/get-all-status-is-active-completed-or-archived',
        'spec:errors/400-milestones-invalid-query',
      ],
    },
    async (query) => {
      const { path, token } = await makeScenario()
      const problem = await server.expectProblem(400, 'GET', `${path}?${query}`, { token })
      expect(getErrorPaths(problem)).toEqual([`/${query.split('=')[0]}`])
    },
  )
})

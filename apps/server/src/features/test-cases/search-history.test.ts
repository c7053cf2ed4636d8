import type { HistoryItem, HistoryMeta } from '@caseward/contract/test-case-history'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

const STATUSES = ['failed', 'passed', 'blocked', 'passed'] as const

/** A test case in 20 runs of two branches: every other one on `main`; the statuses come in turn. */
async function makeHistory() {
  const project = await makeProject(server)
  const { token } = project.admin
  const [id = ''] = await makeTestCases(server, project, 1)
  const runs = []
  for (let number = 0; number < 20; number += 1) {
    const metadata = {
      branch: number % 2 === 0 ? 'main' : 'fix/cart',
      commit: `c0ffee${number}`,
      ci_url: 'https://ci.test/1',
    }
    const run = await makeRun(server, project, { name: `Run ${number}`, metadata })
    await server.request('PUT', `/v1/runs/${run.id}/results/${id}`, { token, body: { status: STATUSES[number % 4] } })
    runs.push(run)
  }
  const path = `/v1/projects/${project.id}/test-cases/${id}/results`
  const search = async (query: string) =>
    (await server.request<{ data: HistoryItem[]; meta: HistoryMeta }>('GET', `${path}?${query}`, { token })).body
  return { project, token, id, runs, path, search }
}

describe('the history of a test case', () => {
  it('has the results with a status, page by page, until all runs are searched', async () => {
    const { search } = await makeHistory()
    const first = await search('status=failed&status=blocked&per_page=4')
    expect(first.data.map(({ run_name, status }) => [run_name, status])).toEqual([
      ['Run 18', 'blocked'],
      ['Run 16', 'failed'],
      ['Run 14', 'blocked'],
      ['Run 12', 'failed'],
    ])
    expect(first.meta.searched_runs).toBe(8)
    const second = await search(`status=failed&status=blocked&per_page=20&after=${first.meta.next_after}`)
    expect(second.data.map(({ run_name }) => run_name)).toEqual(['Run 10', 'Run 8', 'Run 6', 'Run 4', 'Run 2', 'Run 0'])
    expect(second.meta).toEqual({ next_after: null, searched_runs: 12 })
  })

  it('has the results of a branch, with where their run came from, and those of older runs', async () => {
    const { search, runs, id, token } = await makeHistory()
    const [oldest] = runs
    await server.request('POST', `/v1/runs/${oldest?.id}/results/${id}/links`, {
      token,
      body: { url: 'https://a.test/1' },
    })
    const rerun = await server.request<{ data: { id: string } }>('POST', `/v1/runs/${oldest?.id}/reruns`, {
      token,
      body: {},
    })
    const main = await search('branch=main')
    expect(main.data).toHaveLength(10)
    expect(main.meta).toEqual({ next_after: null, searched_runs: 21 })
    expect(main.data.at(-1)).toMatchObject({
      branch: 'main',
      commit: 'c0ffee0',
      build_url: 'https://ci.test/1',
      milestone_id: null,
      rerun_of: null,
      attachment_count: 0,
      link_count: 1,
    })
    const all = await search('per_page=1')
    expect(all.data).toMatchObject([{ run_id: rerun.body.data.id, rerun_of: oldest?.id, branch: null }])
    const older = await search(`after=${runs[2]?.id}`)
    expect(older.data.map(({ run_name }) => run_name)).toEqual(['Run 1', 'Run 0'])
    expect((await search('branch=unknown')).data).toEqual([])
  })

  it('searches up to 1,000 runs for a page, which may have no result, and goes on after them', async () => {
    const { search, runs, project } = await makeHistory()
    // Copies of a run with a passed result, newer than the others.
    await sql`
      with copied as (
        insert into runs (id, project_id, name, run_group)
        select ('ffffffff-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, project_id, 'Copy', run_group
        from runs, generate_series(1, 1200) n where runs.id = ${runs[1]?.id}
        returning id, run_group
      )
      insert into test_results (project_id, run_id, run_group, id, case_number, title, status)
      select ${project.id}::uuid, copied.id, copied.run_group, gen_random_uuid(), 1, 'copy', 'passed' from copied`.execute(
      server.db,
    )
    const first = await search('status=failed')
    expect(first.data).toEqual([])
    expect(first.meta.searched_runs).toBe(1000)
    const second = await search(`status=failed&after=${first.meta.next_after}`)
    expect(second.data).toHaveLength(5)
    expect(second.meta).toEqual({ next_after: null, searched_runs: 220 })
  })

  it('has no pages by number, and is not found for an unknown test case', async () => {
    const { path, token, project } = await makeHistory()
    const problem = await server.expectProblem(400, 'GET', `${path}?status=failed&page=2`, { token })
    expect(problem.errors).toMatchObject([{ path: '/page' }])
    await server.expectProblem(404, 'GET', `/v1/projects/${project.id}/test-cases/WEB-99/results?status=failed`, {
      token,
    })
  })
})

import type { Blocker } from '@caseward/contract/milestone-readiness'
import { describe, expect, it } from 'vitest'

import { makeRun, makeTestCase } from '@caseward/test-support/factories'
import { makeMilestoneScenario } from '@caseward/test-support/milestone-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

describe('GET /v1/projects/:project_id/milestones/:milestone_id/blockers', () => {
  it('lists failed and blocked results of important test cases, critical ones first', async () => {
    const { project, token, path, make } = await makeMilestoneScenario(server)
    const parent = await make({ name: 'Release' })
    const part = await make({ name: 'Alpha', parent_id: parent.id })
    const priorities = ['low', 'high', 'critical', 'critical', 'high'] as const
    for (const priority of priorities) await makeTestCase(server, project, { title: `Is ${priority}`, priority })
    const own = await makeRun(server, project, { name: 'Own', milestone_id: parent.id })
    const other = await makeRun(server, project, { name: 'Part', milestone_id: part.id })
    const set = (runId: string, id: string, status: string) =>
      server.request('PUT', `/v1/runs/${runId}/results/${id}`, { token, body: { status, note: 'Wrong\nSecond' } })
    await set(own.id, 'WEB-1', 'failed')
    await set(own.id, 'WEB-2', 'failed')
    await set(own.id, 'WEB-3', 'passed')
    await set(other.id, 'WEB-4', 'blocked')
    await set(other.id, 'WEB-5', 'retest')
    const { body } = await server.request<{ data: Blocker[]; meta: object }>('GET', `${path}/${parent.id}/blockers`, {
      token,
    })
    expect(body).toMatchObject({
      data: [
        { test_case_id: 'WEB-4', priority: 'critical', status: 'blocked', run_name: 'Part', run_id: other.id },
        { test_case_id: 'WEB-2', priority: 'high', status: 'failed', run_name: 'Own', note_line: 'Wrong' },
      ],
      meta: { page: 1, per_page: 100, total: 2 },
    })
    const list = async (query: string) => {
      const url = `${path}/${parent.id}/blockers?${query}`
      const { body: page } = await server.request<{ data: Blocker[]; meta: { total: number } }>('GET', url, { token })
      return { ids: page.data.map(({ test_case_id: id }) => id), total: page.meta.total }
    }
    expect(await list('status=failed&priority=any')).toEqual({ ids: ['WEB-2', 'WEB-1'], total: 2 })
    expect(await list('status=failed&priority=critical')).toEqual({ ids: [], total: 0 })
    expect(await list('status=blocked&status=failed&priority=low&priority=critical')).toEqual({
      ids: ['WEB-4', 'WEB-1'],
      total: 2,
    })
    expect(await list('priority=any&per_page=2&page=2')).toEqual({ ids: ['WEB-1'], total: 3 })
    expect(await list('priority=any&per_page=2&page=9')).toEqual({ ids: [], total: 3 })
  })

  it('lists the results of deleted test cases only if they are asked for', async () => {
    const { project, token, path, make, link } = await makeMilestoneScenario(server, 1)
    const { id } = await make()
    await link(id, 0)
    const runs = await server.request<{ data: { id: string }[] }>('GET', `/v1/projects/${project.id}/runs`, { token })
    const result = `/v1/runs/${runs.body.data[0]?.id}/results/WEB-1`
    expect((await server.request('PUT', result, { token, body: { status: 'failed' } })).status).toBe(200)
    const testCase = `/v1/projects/${project.id}/test-cases/WEB-1`
    expect((await server.request('DELETE', testCase, { token })).status).toBe(200)
    const list = async (query: string) =>
      (await server.request<{ data: Blocker[] }>('GET', `${path}/${id}/blockers${query}`, { token })).body.data
    expect(await list('')).toEqual([])
    expect(await list('?priority=any')).toMatchObject([{ test_case_id: null, priority: null, status: 'failed' }])
  })

  it('is empty without blockers, and 404 without the milestone', async () => {
    const { token, path, make } = await makeMilestoneScenario(server)
    const { id } = await make()
    expect((await server.request('GET', `${path}/${id}/blockers`, { token })).body).toEqual({
      data: [],
      meta: { page: 1, per_page: 100, total: 0 },
    })
    await server.expectProblem(404, 'GET', `${path}/019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01/blockers`, { token })
  })
})

import type { Blocker } from '@caseward/contract/milestones'
import { describe, expect, it } from 'vitest'

import { makeRun, makeTestCase } from '@caseward/test-support/factories'
import { makeMilestoneScenario } from '@caseward/test-support/milestone-scenario'
import { useTestServer } from '@caseward/test-support/test-server'

const server = useTestServer()

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
      meta: { total: 2 },
    })
  })

  it('is empty without blockers, and 404 without the milestone', async () => {
    const { token, path, make } = await makeMilestoneScenario(server)
    const { id } = await make()
    expect((await server.request('GET', `${path}/${id}/blockers`, { token })).body).toEqual({
      data: [],
      meta: { total: 0 },
    })
    await server.expectProblem(404, 'GET', `${path}/019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01/blockers`, { token })
  })
})

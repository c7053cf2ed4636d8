import type { Milestone, MilestoneDetail } from '@caseward/contract/milestones'
import type { Problem } from '@caseward/contract/problem'
import { expect } from 'vitest'

import { makeMilestone, makeProject, makeRun, makeTestCases } from './factories.ts'
import type { TestServer } from './test-server.ts'

/** Creates a project with test cases and functions with which its admin changes its milestones. */
export async function makeMilestoneScenario(server: TestServer, cases = 0) {
  const project = await makeProject(server)
  await makeTestCases(server, project, cases)
  const { token } = project.admin
  const path = `/v1/projects/${project.id}/milestones`
  return {
    project,
    token,
    path,
    make: (fields: Partial<Milestone> = {}): Promise<Milestone> => makeMilestone(server, project, fields),
    async read(id: string): Promise<MilestoneDetail> {
      const { status, body } = await server.request<MilestoneDetail>('GET', `${path}/${id}`, { token })
      expect(status).toBe(200)
      return body
    },
    async change(id: string, body: object): Promise<Milestone> {
      const response = await server.request<Milestone>('PATCH', `${path}/${id}`, { token, body })
      expect(response.body).toMatchObject({ id })
      expect(response.status).toBe(200)
      return response.body
    },
    expectChangeProblem: (id: string, body: object): Promise<Problem> =>
      server.expectProblem(400, 'PATCH', `${path}/${id}`, { token, body }),
    async remove(id: string): Promise<void> {
      expect((await server.request('DELETE', `${path}/${id}`, { token })).status).toBe(204)
    },
    /** Creates a run of the milestone in which the first `tested` test cases have a result. */
    async link(milestone_id: string, tested: number): Promise<string> {
      const run = await makeRun(server, project, { milestone_id })
      const results = Array.from({ length: tested }, (_, index) => ({
        test_case_id: `WEB-${index + 1}`,
        status: index % 2 === 0 ? 'passed' : 'failed',
      }))
      await server.request('POST', `/v1/runs/${run.id}/results/bulk`, { token, body: { results } })
      return run.id
    },
  }
}

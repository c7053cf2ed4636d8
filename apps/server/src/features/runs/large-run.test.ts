import type { Run } from '@caseward/contract/run-schemas'
import { beforeAll, describe, expect, it } from 'vitest'

import { insertTestCases, makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

const TEST_CASES = 100_000

describe('POST /v1/projects/:project_id/runs with 100,000 test case ids', () => {
  let project: Awaited<ReturnType<typeof makeProject>>
  let path: string
  let token: string
  const ids = Array.from({ length: TEST_CASES }, (_, index) => `WEB-${index + 1}`)

  beforeAll(async () => {
    project = await makeProject(server)
    path = `/v1/projects/${project.id}/runs`
    token = project.admin.token
    await insertTestCases(server, project, TEST_CASES)
  })

  it('creates a run of all of them with one request, whose body exceeds 1 MB', async () => {
    const body = { name: 'Everything', test_case_ids: ids }
    expect(JSON.stringify(body).length).toBeGreaterThan(1024 * 1024)
    const { status, body: created } = await server.request<{ data: Run }>('POST', path, { token, body })
    expect([status, created.data.result_count]).toEqual([201, TEST_CASES])
    const rows = await server.request<{ data: { test_case_id: string }[]; meta: object }>(
      'GET',
      `/v1/runs/${created.data.id}/results?fields=row&per_page=2000&page=50`,
      { token },
    )
    expect(rows.body.data.map((row) => row.test_case_id)).toEqual(ids.slice(-2000))
    expect(rows.body.meta).toMatchObject({ total: TEST_CASES, next_after: null })
  })

  it('lists the first 1,000 unknown ids and says that there are more', async () => {
    const body = { name: 'Unknown', test_case_ids: ids.map((id) => `${id}000001`) }
    const problem = await server.expectProblem(400, 'POST', path, { token, body })
    expect(problem.errors).toHaveLength(1000)
    expect(problem.errors?.at(-1)).toEqual({
      path: '/test_case_ids/999',
      message: 'is not a test case of this project',
    })
    expect(problem.detail).toContain('many more')
  })

  it('returns 400 for one id more', async () => {
    const body = { name: 'Too many', test_case_ids: [...ids, 'WEB-1'] }
    const problem = await server.expectProblem(400, 'POST', path, { token, body })
    expect(problem.errors?.map((error) => error.path)).toEqual(['/test_case_ids'])
  })
})

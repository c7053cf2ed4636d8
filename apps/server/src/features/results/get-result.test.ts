import type { ResultDetail } from '@caseward/contract/result-rows'
import type { TestCase } from '@caseward/contract/test-case-schemas'
import { describe, expect, it } from 'vitest'

import { makeProject, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

/** A run with one failed result, of a test case with steps. */
async function makeScenario() {
  const project = await makeProject(server)
  const steps = [{ position: 1, action: 'Pay', expected: 'Paid' }]
  const fields = {
    title: 'Pays by card',
    precondition: 'Money',
    steps,
    expected_result: 'No debt',
    tags: ['x'],
    estimate: 60,
  }
  await makeTestCase(server, project, fields)
  const run = await makeRun(server, project)
  const { token } = project.admin
  const path = `/v1/runs/${run.id}/results`
  await server.request('PUT', `${path}/WEB-1`, { token, body: { status: 'failed', note: 'first\nsecond', elapsed: 7 } })
  const read = async (id: string) => {
    const { status, body } = await server.request<{ data: ResultDetail }>('GET', `${path}/${id}`, { token })
    expect(status).toBe(200)
    return body.data
  }
  return { project, run, token, path, read }
}

describe('GET /v1/runs/:run_id/results/:result_id', () => {
  it('returns the row, the whole note and the test case, by the id of the test case or of the result', async () => {
    const { project, token, path, read } = await makeScenario()
    const result = await read('WEB-1')
    const rows = await server.request<{ data: object[] }>('GET', `${path}?fields=row`, { token })
    const testCase = await server.request<{ data: TestCase }>('GET', `/v1/projects/${project.id}/test-cases/WEB-1`, {
      token,
    })
    expect(result).toEqual({
      ...rows.body.data[0],
      note: 'first\nsecond',
      change_count: 0,
      test_case: testCase.body.data,
      tests: [],
      attachments: [],
      links: [],
      steps: [],
    })
    expect(result.test_case).toMatchObject({
      precondition: 'Money',
      steps: [{ position: 1, action: 'Pay', expected: 'Paid' }],
      expected_result: 'No debt',
    })
    expect(await read(result.id)).toEqual(result)
  })

  it('returns the title at the time of the run, and the test case as it is now', async () => {
    const { project, token, read } = await makeScenario()
    const body = { title: 'Pays by voucher' }
    await server.request('PATCH', `/v1/projects/${project.id}/test-cases/WEB-1`, { token, body })
    const { test_case_title: title, test_case: testCase } = await read('WEB-1')
    expect([title, testCase?.title]).toEqual(['Pays by card', 'Pays by voucher'])
  })

  it('returns the result without a test case when that was deleted', async () => {
    const { project, token, read } = await makeScenario()
    const { id } = await read('WEB-1')
    await server.request('DELETE', `/v1/projects/${project.id}/test-cases/WEB-1`, { token })
    expect(await read(id)).toMatchObject({ test_case_id: null, note: 'first\nsecond', tags: [], test_case: null })
  })

  it('returns 404 for a result that is not in the run', async () => {
    const { project, token, path, read } = await makeScenario()
    const { id } = await read('WEB-1')
    const other = await makeRun(server, project)
    await makeTestCase(server, project)
    for (const unknown of ['WEB-2', 'WEB-99', 'APP-1', 'nonsense', other.id]) {
      await server.expectProblem(404, 'GET', `${path}/${unknown}`, { token })
    }
    await server.expectProblem(404, 'GET', `/v1/runs/${other.id}/results/${id}`, { token })
  })
})

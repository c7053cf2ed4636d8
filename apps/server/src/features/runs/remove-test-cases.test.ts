import type { Run } from '@caseward/contract/run-schemas'
import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { getRunResults, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

const server = useSharedServer()

async function makeScenario(count: number) {
  const project = await makeProject(server)
  const ids = await makeTestCases(server, project, count)
  const run = await makeRun(server, project)
  const { token } = project.admin
  const path = `/v1/runs/${run.id}/test-cases`
  return {
    project,
    run,
    ids,
    token,
    path,
    remove: (test_case_ids: readonly string[]) =>
      server.request<{ data: Run }>('DELETE', path, { token, body: { test_case_ids } }),
    setResults: (status: string, test_case_ids: readonly string[]) =>
      server.request('POST', `/v1/runs/${run.id}/results/bulk`, {
        token,
        body: { results: test_case_ids.map((id) => ({ test_case_id: id, status })) },
      }),
    list: async () => [...(await getRunResults(server, run.id, token)).keys()],
  }
}

describe('DELETE /v1/runs/:run_id/test-cases', () => {
  it('removes test cases with their results, and returns the run with its new counts', async () => {
    const { project, remove, setResults, list } = await makeScenario(5)
    await setResults('failed', ['WEB-1', 'WEB-2'])
    await setResults('passed', ['WEB-3'])
    const { status, body } = await remove(['WEB-2', 'WEB-3', 'WEB-5'])
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      result_count: 2,
      stats: { passed: 0, failed: 1, blocked: 0, retest: 0, not_tested: 1 },
    })
    expect(await list()).toEqual(['WEB-1', 'WEB-4'])
    await expectCorrectCounters(server, project.id)
  })

  it('ignores test cases that are not in the run, and does not touch other runs', async () => {
    const { project, token, run, remove, list } = await makeScenario(3)
    const other = await makeRun(server, project)
    await remove(['WEB-1', 'WEB-1'])
    const { body } = await remove(['WEB-1'])
    expect(body.data).toMatchObject({ id: run.id, result_count: 2 })
    expect(await list()).toEqual(['WEB-2', 'WEB-3'])
    expect([...(await getRunResults(server, other.id, token)).keys()]).toEqual(['WEB-1', 'WEB-2', 'WEB-3'])
  })

  it('accepts the test case again afterwards, not tested and at the end', async () => {
    const { token, path, remove, setResults, list } = await makeScenario(3)
    await setResults('passed', ['WEB-1'])
    await remove(['WEB-1'])
    const body = { test_case_ids: ['WEB-1'] }
    const added = await server.request<{ data: Run }>('POST', path, { token, body })
    expect(added.body.data.stats).toMatchObject({ passed: 0, not_tested: 3 })
    expect(await list()).toEqual(['WEB-2', 'WEB-3', 'WEB-1'])
  })

  it('records the removal with its size, unless nothing was removed', async () => {
    const { project, token, run, remove, setResults } = await makeScenario(3)
    await setResults('passed', ['WEB-1'])
    await remove(['WEB-1', 'WEB-2'])
    await remove(['WEB-1'])
    const path = `/v1/projects/${project.id}/audit-log?action=run.remove_test_cases`
    const { body } = await server.request('GET', path, { token })
    expect(body['data']).toMatchObject([
      { subject: { kind: 'run', id: run.id, name: run.name }, detail: { test_cases: 2, tested: 1 } },
    ])
    expect(body['data']).toHaveLength(1)
  })

  it('returns 400 with every unknown test case, and removes nothing', async () => {
    const { token, path, list } = await makeScenario(2)
    const body = { test_case_ids: ['WEB-1', 'WEB-7', 'APP-1'] }
    const problem = await server.expectProblem(400, 'DELETE', path, { token, body })
    expect(problem.errors?.map((error) => error.path)).toEqual(['/test_case_ids/1', '/test_case_ids/2'])
    await server.expectProblem(400, 'DELETE', path, { token })
    expect(await list()).toEqual(['WEB-1', 'WEB-2'])
  })

  it('returns 409 for a completed run, and 404 for an unknown one', async () => {
    const { run, token, path, list } = await makeScenario(1)
    await server.request('PATCH', `/v1/runs/${run.id}`, { token, body: { status: 'completed' } })
    const body = { test_case_ids: ['WEB-1'] }
    expect((await server.expectProblem(409, 'DELETE', path, { token, body })).code).toBe('run_completed')
    expect(await list()).toEqual(['WEB-1'])
    const unknown = '/v1/runs/01a1fc2b-5f29-7584-9e03-d27674921b66/test-cases'
    await server.expectProblem(404, 'DELETE', unknown, { token, body })
  })

  it('keeps the counts correct when results are set and test cases are added and deleted at the same time', async () => {
    const { project, ids, token, path, run, remove, setResults, list } = await makeScenario(40)
    const halves = [ids.slice(0, 20), ids.slice(20)] as const
    const responses = await Promise.all([
      setResults('passed', ids),
      remove(halves[0]),
      setResults('failed', ids.toReversed()),
      server.request('POST', path, { token, body: { test_case_ids: ids.slice(0, 10) } }),
      server.request('POST', `/v1/projects/${project.id}/test-cases/bulk-delete`, {
        token,
        body: { test_case_ids: ids.slice(30) },
      }),
      remove(halves[1].slice(0, 5).toReversed()),
      server.request('PUT', `/v1/runs/${run.id}/results/WEB-21`, { token, body: { status: 'blocked' } }),
    ])
    expect(responses.filter(({ status }) => ![200, 207, 404].includes(status))).toEqual([])
    await expectCorrectCounters(server, project.id)
    expect(await list()).not.toContain('WEB-22')
  })
})

import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import {
  getRunResults,
  makeFolder,
  makeProject,
  makeRun,
  makeTestCase,
  makeTestCases,
} from '@caseward/test-support/factories'
import { getErrorPaths } from '@caseward/test-support/send-request'
import { useSharedServer } from '@caseward/test-support/test-server'
import { SYSTEM_ACTOR } from '../audit/record-audit.ts'
import { deleteTestCases } from './delete-test-cases.ts'

const server = useSharedServer()

async function makeScenario(count: number) {
  const project = await makeProject(server)
  const { token } = project.admin
  await makeTestCases(server, project, count)
  const root = `/v1/projects/${project.id}`
  const remove = (test_case_ids: readonly string[]) =>
    server.request('POST', `${root}/test-cases/bulk-delete`, { token, body: { test_case_ids } })
  return { project, token, root, remove }
}

describe('POST /v1/projects/:project_id/test-cases/bulk-delete', () => {
  it('deletes the test cases, and subtracts them from the counts of the project and its folders', async () => {
    const { project, token, root, remove } = await makeScenario(3)
    const folder = await makeFolder(server, project)
    await makeTestCase(server, project, { folder_id: folder.id })
    await makeTestCase(server, project, { folder_id: folder.id })
    expect(await remove(['WEB-1', 'WEB-3', 'WEB-4'])).toMatchObject({ status: 200, body: { data: { deleted: 3 } } })
    const { body } = await server.request<{ data: { id: string }[] }>('GET', `${root}/test-cases`, { token })
    expect(body.data.map(({ id }) => id)).toEqual(['WEB-2', 'WEB-5'])
    const folders = await server.request('GET', `${root}/folders`, { token })
    expect(folders.body['data']).toMatchObject([{ test_case_count: 1 }])
    await expectCorrectCounters(server, project.id)
  })

  it('ignores ids without a test case and repeated ids, so that the request can be sent again', async () => {
    const { remove } = await makeScenario(2)
    const ids = ['WEB-1', 'WEB-1', 'WEB-9', 'APP-1', 'nonsense', '']
    expect((await remove(ids)).body).toEqual({ data: { deleted: 1 } })
    expect((await remove(ids)).body).toEqual({ data: { deleted: 0 } })
    expect((await remove([])).body).toEqual({ data: { deleted: 0 } })
  })

  it('keeps the results in all runs, without their test case', async () => {
    const { project, token, remove } = await makeScenario(3)
    const runs = [await makeRun(server, project), await makeRun(server, project, { test_case_ids: ['WEB-2', 'WEB-3'] })]
    await remove(['WEB-1', 'WEB-2'])
    for (const run of runs) {
      const path = `/v1/runs/${run.id}/results`
      const { body } = await server.request<{ data: { test_case_id: string | null }[] }>('GET', path, { token })
      expect(body.data).toHaveLength(run.result_count)
      expect(body.data.filter(({ test_case_id: id }) => id !== null)).toMatchObject([{ test_case_id: 'WEB-3' }])
    }
    await expectCorrectCounters(server, project.id)
  })

  it('records every deleted test case in the audit log, with its title', async () => {
    const { project, token, root, remove } = await makeScenario(3)
    await remove(['WEB-3', 'WEB-1'])
    const path = `${root}/audit-log?action=test_case.delete`
    const { body } = await server.request<{ data: object[] }>('GET', path, { token })
    expect(body.data).toHaveLength(2)
    expect(body.data).toMatchObject([
      { subject: { kind: 'test_case', id: 'WEB-3', name: 'Case 3' }, actor: { id: project.admin.id } },
      { subject: { kind: 'test_case', id: 'WEB-1', name: 'Case 1' }, actor: { id: project.admin.id } },
    ])
  })

  it('deletes each test case once when several requests delete them at the same time as uploads set results', async () => {
    const { project, token, remove } = await makeScenario(60)
    const runs = await Promise.all([makeRun(server, project), makeRun(server, project), makeRun(server, project)])
    const ids = Array.from({ length: 60 }, (_, index) => `WEB-${index + 1}`)
    const results = ids.toReversed().map((test_case_id) => ({ test_case_id, status: 'passed' }))
    const responses = await Promise.all([
      remove(ids.slice(0, 40)),
      ...runs.map((run) => server.request('POST', `/v1/runs/${run.id}/results/bulk`, { token, body: { results } })),
      remove(ids.slice(20).toReversed()),
      ...runs.map((run) => server.request('POST', `/v1/runs/${run.id}/results/bulk`, { token, body: { results } })),
    ])
    expect(responses.filter(({ status }) => ![200, 207].includes(status))).toEqual([])
    const deleted = responses.map(({ body }) => (body['data'] as { deleted?: number }).deleted ?? 0)
    expect(deleted.reduce((sum, count) => sum + count)).toBe(60)
    for (const run of runs) expect([...(await getRunResults(server, run.id, token)).keys()]).toEqual([null])
    await expectCorrectCounters(server, project.id)
  })

  it('is refused with 422 and deletes nothing when the test cases have too many results', async () => {
    const { project, token, root, remove } = await makeScenario(3)
    for (let count = 0; count < 3; count += 1) await makeRun(server, project, { test_case_ids: ['WEB-1', 'WEB-2'] })
    const deleteWithLimit = (maxResults: number) =>
      deleteTestCases(server.db, SYSTEM_ACTOR, { id: project.id, prefix: 'WEB' }, [1, 2, 3], { maxResults })
    await expect(deleteWithLimit(5)).rejects.toMatchObject({ statusCode: 422, code: 'too_many_results' })
    const { body } = await server.request<{ meta: object }>('GET', `${root}/test-cases`, { token })
    expect(body.meta).toMatchObject({ total: 3 })
    expect((await remove(['WEB-3'])).body).toEqual({ data: { deleted: 1 } })
    expect(await deleteWithLimit(6)).toBe(2)
  })

  it.each([
    [{}, '/test_case_ids'],
    [{ test_case_ids: Array.from({ length: 10_001 }, () => 'WEB-1') }, '/test_case_ids'],
    [{ test_case_ids: ['WEB-1', 2] }, '/test_case_ids/1'],
  ])('returns 400 with the field for body %#', async (body, path) => {
    const { token, root } = await makeScenario(1)
    const problem = await server.expectProblem(400, 'POST', `${root}/test-cases/bulk-delete`, { token, body })
    expect(getErrorPaths(problem)).toEqual([path])
  })
})

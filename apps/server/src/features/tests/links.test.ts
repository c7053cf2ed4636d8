import type { ProjectTestDetail } from '@caseward/contract/tests'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeFolder, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

describe('PATCH /v1/projects/:project_id/tests/:test_id', () => {
  it('links a test, derives the result in runs in progress, and counts it as matched in all runs', async () => {
    const { project, uploadTests, listRunTests, makeRunByKey, getRun, link, token } = await makeTestsScenario(server, 1)
    const tests = [makeTest('pays', ['failed'])]
    const completed = await makeRunByKey('completed')
    await uploadTests(tests, { run_id: completed.id })
    await server.request('PATCH', `/v1/runs/${completed.id}`, { token, body: { status: 'completed' } })
    await uploadTests(tests)
    const [test] = (await listRunTests()).data
    const { status, body } = await link(test?.id ?? '', 'WEB-1')
    expect([status, body.data]).toMatchObject([200, { test_case_ids: ['WEB-1'], linked_by: 'hand' }])
    expect(await getRun()).toMatchObject({ stats: { failed: 1 }, test_stats: { unmatched: 0 } })
    expect(await getRun(completed.id)).toMatchObject({ result_count: 0, test_stats: { unmatched: 0 } })
    const next = await makeRunByKey('build 2')
    const { body: receipt } = await uploadTests([makeTest('pays')], { run_id: next.id })
    expect(receipt).toMatchObject({ uploaded_count: 1, tests: { matched: 1 } })
    await expectCorrectCounters(server, project.id)
  })

  it('removes the link, and counts the test as unmatched again', async () => {
    const { project, uploadTests, listRunTests, getRun, link } = await makeTestsScenario(server, 1)
    await uploadTests([makeTest('WEB-1 pays')])
    const [test] = (await listRunTests()).data
    expect((await link(test?.id ?? '', null)).body.data).toMatchObject({ test_case_ids: [], linked_by: null })
    expect(await getRun()).toMatchObject({ stats: { passed: 1 }, test_stats: { unmatched: 1 } })
    await expectCorrectCounters(server, project.id)
  })

  it('keeps a link by hand when an id names no test case, and replaces it when an id names one', async () => {
    const { uploadTests, listRunTests, link } = await makeTestsScenario(server, 2)
    await uploadTests([makeTest('pays WEB-77')])
    const [test] = (await listRunTests()).data
    await link(test?.id ?? '', 'WEB-1')
    const again = await uploadTests([makeTest('pays WEB-77')])
    expect(again.body).toMatchObject({ uploaded_count: 1, tests: { matched: 1 }, errors: [{ code: 'not_in_run' }] })
    await uploadTests([makeTest('pays WEB-77', ['passed'], { test_case_ids: ['WEB-2'] })])
    expect((await listRunTests()).data).toMatchObject([{ test_case_ids: ['WEB-2'], linked_by: 'id' }])
  })

  it.each([
    ['of no test case', 'WEB-99', 400],
    ['of another form', 'x', 400],
  ])('returns 400 for an id %s', async (_what, caseId, status) => {
    const { uploadTests, listRunTests, link } = await makeTestsScenario(server, 1)
    await uploadTests([makeTest('pays')])
    const [test] = (await listRunTests()).data
    expect(await link(test?.id ?? '', caseId)).toMatchObject({ status, body: { errors: [{ path: '/test_case_id' }] } })
  })

  it('returns 404 for an unknown test, and for one of another project', async () => {
    const { link } = await makeTestsScenario(server, 1)
    const other = await makeTestsScenario(server)
    await other.uploadTests([makeTest('pays')])
    const [foreign] = (await other.listTests()).data
    for (const id of ['x', '019aa5b9-0b1c-7d2e-8f3a-4b5c6d7e8f90', foreign?.id ?? '']) {
      expect((await link(id, 'WEB-1')).status).toBe(404)
    }
  })

  it('suggests the test case of a renamed test, whose history continues once they are linked', async () => {
    const { project, token, uploadTests, makeRunByKey, listTests, link } = await makeTestsScenario(server)
    await uploadTests([makeTest('pays by credit card'), makeTest('ships')], { create_test_cases: true })
    const next = await makeRunByKey('build 2')
    await uploadTests([makeTest('pays by debit card'), makeTest('ships')], { run_id: next.id })
    const { data } = await listTests('linked=false')
    expect(data).toMatchObject([{ name: 'pays by debit card', latest: { run_id: next.id } }])
    const path = `/v1/projects/${project.id}/tests/${data[0]?.id}`
    const { body } = await server.request<{ data: ProjectTestDetail }>('GET', path, { token })
    expect(body.data.suggestions).toEqual([{ test_case_id: 'WEB-1', title: 'pays by credit card' }])
    await link(data[0]?.id ?? '', 'WEB-1')
    const history = await server.request('GET', `/v1/projects/${project.id}/test-cases/WEB-1/results`, { token })
    expect(history.body['data']).toHaveLength(2)
  })

  it('ends the link when the test case is deleted', async () => {
    const { project, token, uploadTests, listTests } = await makeTestsScenario(server, 1)
    await uploadTests([makeTest('WEB-1 pays')])
    await server.request('DELETE', `/v1/projects/${project.id}/test-cases/WEB-1`, { token })
    expect((await listTests()).data).toMatchObject([{ test_case_ids: [], linked_by: null }])
  })
})

describe('POST /v1/projects/:project_id/tests/create-test-cases', () => {
  it('creates test cases for all unmatched tests of a run, below a folder, and adds them to the run', async () => {
    const { project, token, run, uploadTests, createTestCases, getRun } = await makeTestsScenario(server)
    const folder = await makeFolder(server, project, { name: 'Automated' })
    await makeTestCase(server, project, { automation_key: 'known' })
    await uploadTests([makeTest('known'), makeTest('a', ['failed']), makeTest('b')])
    const { status, body } = await createTestCases({ all_unmatched_of_run: run.id, folder_id: folder.id })
    expect([status, body.data]).toEqual([
      200,
      {
        created: 2,
        linked: 2,
        remaining: 0,
        test_cases: [
          { id: 'WEB-2', title: 'a' },
          { id: 'WEB-3', title: 'b' },
        ],
      },
    ])
    expect(await getRun()).toMatchObject({
      result_count: 3,
      stats: { failed: 1, passed: 2 },
      test_stats: { unmatched: 0 },
    })
    const folders = await server.request('GET', `/v1/projects/${project.id}/folders`, { token })
    expect(folders.body['data']).toMatchObject([
      { name: 'Automated' },
      { name: 'src/cart.test.ts', parent_id: folder.id },
    ])
    await expectCorrectCounters(server, project.id)
  })

  it('creates test cases for chosen tests, skips linked and unknown ones, and adds to the named run', async () => {
    const { project, uploadTests, createTestCases, listRunTests, makeRunByKey, getRun } = await makeTestsScenario(
      server,
      1,
    )
    const closed = await makeRunByKey('closed', { test_case_ids: [] })
    await uploadTests([makeTest('WEB-1 known'), makeTest('a')], { run_id: closed.id })
    const ids = (await listRunTests('', closed.id)).data.map(({ id }) => id)
    const { body } = await createTestCases({ test_ids: [...ids, 'x'], run_id: closed.id })
    expect(body.data).toMatchObject({ created: 1, linked: 1, remaining: 0 })
    expect(await getRun(closed.id)).toMatchObject({ result_count: 1, stats: { passed: 1 } })
    await expectCorrectCounters(server, project.id)
  })

  it.each([
    [{}, '/test_ids'],
    [{ test_ids: [], all_unmatched_of_run: 'x' }, '/all_unmatched_of_run'],
    [{ all_unmatched_of_run: 'x' }, '/all_unmatched_of_run'],
    [{ test_ids: [], run_id: 'x' }, '/run_id'],
    [{ test_ids: [], folder_id: 'x' }, '/folder_id'],
  ])('returns 400 with the field for %j', async (fields, path) => {
    const { createTestCases } = await makeTestsScenario(server)
    expect(await createTestCases(fields)).toMatchObject({ status: 400, body: { errors: [{ path }] } })
  })
})

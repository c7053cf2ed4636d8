import type { Folder } from '@caseward/contract/folders'
import type { TestCase } from '@caseward/contract/test-case-schemas'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeCiToken, makeField, makeRun, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

const creating = { create_test_cases: true }

describe('POST /v1/results with create_test_cases', () => {
  it('creates a test case in the folders of its suite and titles, and adds it to the run with its result', async () => {
    const { project, token, uploadTests, getRun } = await makeTestsScenario(server)
    const { status, body } = await uploadTests(
      [makeTest('Cart > Totals > adds up'), makeTest('pays', ['failed'])],
      creating,
    )
    expect([status, body.uploaded_count, body.tests]).toEqual([
      200,
      2,
      { total: 2, matched: 2, unmatched: 0, flaky: 0, created: 2, repeated: 0 },
    ])
    const path = `/v1/projects/${project.id}`
    const folders = await server.request<{ data: Folder[] }>('GET', `${path}/folders`, { token })
    expect(folders.body.data.map(({ name, test_case_count }) => [name, test_case_count])).toEqual([
      ['src/cart.test.ts', 1],
      ['Cart', 0],
      ['Totals', 1],
    ])
    const testCase = await server.request<{ data: TestCase }>('GET', `${path}/test-cases/WEB-1`, { token })
    expect(testCase.body.data).toMatchObject({
      title: 'adds up',
      automation_keys: ['src/cart.test.ts > Cart > Totals > adds up'],
      created_by: null,
    })
    expect(await getRun()).toMatchObject({ result_count: 2, stats: { passed: 1, failed: 1 } })
    await expectCorrectCounters(server, project.id)
  })

  it('adds created test cases to a run that does not take what is reported, but not those that existed', async () => {
    const { project, uploadTests } = await makeTestsScenario(server)
    const run = await makeRun(server, project)
    await makeTestCase(server, project, { title: 'Ships', automation_key: 'ships' })
    const { body } = await uploadTests([makeTest('pays'), makeTest('ships')], { ...creating, run_id: run.id })
    expect(body).toMatchObject({
      uploaded_count: 1,
      tests: { matched: 2, created: 1 },
      errors: [{ test_case_id: 'WEB-1', code: 'not_in_run' }],
    })
  })

  it('creates nothing when the upload is repeated, into the same run or the next one', async () => {
    const { uploadTests, makeRunByKey } = await makeTestsScenario(server)
    const tests = [makeTest('a'), makeTest('b')]
    expect((await uploadTests(tests, creating)).body.tests?.created).toBe(2)
    expect((await uploadTests(tests, creating)).body.tests?.created).toBe(0)
    const { id } = await makeRunByKey('build 2')
    const { body } = await uploadTests(tests, { ...creating, run_id: id })
    expect([body.uploaded_count, body.tests]).toMatchObject([2, { matched: 2, created: 0 }])
  })

  it('creates one test case for the variants of a test, with the worst outcome', async () => {
    const { uploadTests, getRun } = await makeTestsScenario(server)
    const { body } = await uploadTests(
      [makeTest('pays', ['passed'], { variant: 'chromium' }), makeTest('pays', ['failed'], { variant: 'firefox' })],
      creating,
    )
    expect(body.tests).toMatchObject({ total: 2, created: 1 })
    expect(await getRun()).toMatchObject({ result_count: 1, stats: { failed: 1 } })
  })

  it('is not stopped by required fields: test cases get the defaults, and the receipt names fields without one', async () => {
    const { project, token, uploadTests } = await makeTestsScenario(server)
    await makeField(server, project, { key: 'severity', type: 'text', is_required: true, default: 'minor' })
    await makeField(server, project, { is_required: true })
    const fields = { lacking_fields: ['risk'] }
    const tried = await uploadTests([makeTest('pays')], { ...creating, dry_run: true })
    const { status, body } = await uploadTests([makeTest('pays')], creating)
    expect([status, tried.body.tests, body.tests]).toMatchObject([200, fields, { created: 1, ...fields }])
    const path = `/v1/projects/${project.id}/test-cases/WEB-1`
    const testCase = await server.request<{ data: TestCase }>('GET', path, { token })
    expect(testCase.body.data.fields).toEqual({ severity: 'minor' })
    const again = await uploadTests([makeTest('pays', ['failed'])], creating)
    expect([again.status, again.body.tests]).toEqual([200, expect.not.objectContaining(fields)])
  })

  it('returns 403 grant_required without the grant, before anything is stored', async () => {
    const { project, run, uploadTests, listTests } = await makeTestsScenario(server)
    const token = await makeCiToken(server, project)
    const body = { run_id: run.id, format: 'tests', tests: [makeTest('a')], ...creating }
    const problem = await server.expectProblem(403, 'POST', '/v1/results', { token, body })
    expect(problem).toMatchObject({ code: 'grant_required', detail: expect.stringContaining('cases:create') })
    expect((await listTests()).data).toEqual([])
    expect((await uploadTests([makeTest('a')], creating)).status).toBe(200)
  })

  it('does not create a test case for a test that names an id, or whose key is ambiguous', async () => {
    const { uploadTests } = await makeTestsScenario(server)
    const { body } = await uploadTests([makeTest('WEB-77 pays')], creating)
    expect(body.tests).toMatchObject({ unmatched: 1, created: 0 })
  })

  it('reads create_test_cases from the query of an XML upload', async () => {
    const { run, ci } = await makeTestsScenario(server)
    const response = await server.request('POST', `/v1/results?run_id=${run.id}&create_test_cases=true`, {
      token: ci,
      body: '<testsuite name="Cart"><testcase classname="shop.Cart" name="adds up"/></testsuite>',
      headers: { 'content-type': 'application/xml' },
    })
    expect(response.body['tests']).toMatchObject({ created: 1, matched: 1 })
  })
})

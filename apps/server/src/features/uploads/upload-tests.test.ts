import type { RunEvent } from '@caseward/contract/events'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { openEventStream } from '@caseward/test-support/event-stream'
import { makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { makeStats } from '@caseward/test-support/upload-scenario'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

const counts = (tests: object) => ({ total: 0, matched: 0, unmatched: 0, flaky: 0, created: 0, repeated: 0, ...tests })

describe('POST /v1/results with the format tests', () => {
  it('stores tests that match no test case with the run, and no error', async () => {
    const { project, uploadTests, listRunTests, getRun } = await makeTestsScenario(server)
    const { status, body } = await uploadTests([
      makeTest('Cart > adds up'),
      makeTest('Cart > pays', ['failed', 'passed']),
      makeTest('Cart > ships', ['failed']),
      makeTest('Cart > returns', ['skipped']),
    ])
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        uploaded_count: 0,
        failed_count: 0,
        stats: makeStats(),
        tests: counts({ total: 4, unmatched: 4, unmatched_failed: 1, flaky: 1 }),
      },
    ])
    const { data, meta } = await listRunTests()
    expect(
      data.map(({ name, outcome, is_flaky, attempt_statuses }) => [name, outcome, is_flaky, attempt_statuses]),
    ).toEqual([
      ['Cart > adds up', 'passed', false, ['passed']],
      ['Cart > pays', 'passed', true, ['failed', 'passed']],
      ['Cart > ships', 'failed', false, ['failed']],
      ['Cart > returns', 'skipped', false, ['skipped']],
    ])
    expect(meta).toEqual({ next_after: null, total: 4 })
    expect(await getRun()).toMatchObject({
      result_count: 0,
      test_stats: { total: 4, unmatched: 4, passed: 2, failed: 1, flaky: 1, skipped: 1 },
    })
    await expectCorrectCounters(server, project.id)
  })

  it('keeps all attempts with their messages', async () => {
    const { uploadTests, listRunTests, getRunTest } = await makeTestsScenario(server)
    await uploadTests([makeTest('pays', ['failed', 'passed'])])
    const [test] = (await listRunTests()).data
    expect((await getRunTest(test?.id ?? '')).attempts).toEqual([
      { status: 'failed', elapsed_ms: 100, message: 'pays is wrong', details: 'at pays', started_at: null },
      { status: 'passed', elapsed_ms: 100, message: '', details: '', started_at: null },
    ])
    expect(test).toMatchObject({ elapsed_ms: 200, attempt_count: 2, variant: '', linked_by: null, test_case_ids: [] })
  })

  it('returns the tests behind a result with it', async () => {
    const { run, token, uploadTests } = await makeTestsScenario(server, 1)
    await uploadTests([makeTest('WEB-1 pays', ['failed', 'passed']), makeTest('WEB-1 ships')])
    const { body } = await server.request('GET', `/v1/runs/${run.id}/results/WEB-1`, { token })
    expect(body['data']).toMatchObject({
      status: 'passed',
      tests: [{ name: 'WEB-1 pays', is_flaky: true, attempt_statuses: ['failed', 'passed'] }, { name: 'WEB-1 ships' }],
    })
  })

  it('sends the counters of the run to open streams', async () => {
    const { run, token, uploadTests } = await makeTestsScenario(server)
    const stream = await openEventStream(server.url, `/v1/runs/${run.id}/events`, { token })
    await stream.next('sync')
    await uploadTests([makeTest('Cart > ships', ['failed'])])
    expect((await stream.next<RunEvent>('run')).data).toMatchObject({
      id: run.id,
      test_stats: { total: 1, unmatched: 1, failed: 1 },
    })
  })

  it('takes what is reported from when PATCH says so', async () => {
    const { project, run, token, uploadTests, getRun } = await makeTestsScenario(server)
    const { id } = await makeTestCase(server, project)
    const change = (adds: boolean) =>
      server.request('PATCH', `/v1/runs/${run.id}`, { token, body: { adds_test_cases: adds } })
    await change(false)
    const refused = await uploadTests([makeTest(`${id} pays`)])
    expect(refused.body).toMatchObject({ uploaded_count: 0, errors: [{ test_case_id: id, code: 'not_in_run' }] })
    await change(true)
    expect((await uploadTests([makeTest(`${id} pays`)])).body).toMatchObject({ success: true, uploaded_count: 1 })
    expect(await getRun()).toMatchObject({ result_count: 1, adds_test_cases: true })
  })

  it('loses its outcomes with its run, and no test', async () => {
    const { run, project, token, makeRunByKey, uploadTests, listTests } = await makeTestsScenario(server)
    const other = await makeRunByKey('build 2')
    await uploadTests([makeTest('Cart > pays')])
    await uploadTests([makeTest('Cart > pays')], { run_id: other.id })
    await server.request('DELETE', `/v1/runs/${run.id}`, { token })
    const outcomes = await server.db
      .selectFrom('test_outcomes')
      .select('run_id')
      .where('project_id', '=', project.id)
      .execute()
    expect(outcomes).toEqual([{ run_id: other.id }])
    expect((await listTests()).data.map(({ name }) => name)).toEqual(['Cart > pays'])
  })

  it('matches by an id in an annotation, a tag, the name or the suite, in this order', async () => {
    const { uploadTests, listRunTests, getRun } = await makeTestsScenario(server, 4)
    const { body } = await uploadTests([
      makeTest('WEB-2 a', ['passed'], { test_case_ids: ['WEB-1'], tags: ['@WEB-3'] }),
      makeTest('WEB-1 b', ['passed'], { tags: ['@WEB-2'] }),
      makeTest('c [WEB-3]', ['failed'], { suite: 'WEB-1', file: '' }),
      makeTest('d', ['passed'], { suite: 'WEB-4 Cart', file: '' }),
    ])
    expect(body.tests).toEqual(counts({ total: 4, matched: 4 }))
    const links = (await listRunTests()).data.map(({ test_case_ids, linked_by }) => [test_case_ids, linked_by])
    expect(links).toEqual([1, 2, 3, 4].map((number) => [[`WEB-${number}`], 'id']))
    expect(await getRun()).toMatchObject({ result_count: 4, stats: { passed: 3, failed: 1 } })
  })

  it('returns an error for an id that names no test case, and counts the test as unmatched', async () => {
    const { uploadTests } = await makeTestsScenario(server, 1)
    const { status, body } = await uploadTests([makeTest('WEB-77 pays')])
    expect([status, body.errors, body.tests]).toEqual([
      207,
      [{ test_case_id: 'WEB-77', error: 'WEB-77 is not in this run.', code: 'not_in_run' }],
      counts({ total: 1, unmatched: 1 }),
    ])
  })

  it.each([
    ['suite and name', 'src/cart.test.ts > Cart > pays'],
    ['the name alone', 'Cart > pays'],
    ['other separators', 'Cart › pays'],
    ['no separators', 'Cart pays'],
  ])('matches an automation key of %s', async (_what, automation_key) => {
    const { project, uploadTests, results } = await makeTestsScenario(server)
    await makeTestCase(server, project, { automation_key })
    const { body } = await uploadTests([makeTest('Cart > pays', ['failed'])])
    expect([body.uploaded_count, body.tests?.matched]).toEqual([1, 1])
    expect((await results()).size).toBe(0)
  })

  it('returns the error ambiguous for a name that tests of two files have', async () => {
    const { project, uploadTests } = await makeTestsScenario(server)
    await makeTestCase(server, project, { automation_key: 'pays' })
    const other = { suite: 'src/shop.test.ts', file: 'src/shop.test.ts' }
    const { body } = await uploadTests([makeTest('pays'), makeTest('pays', ['passed'], other)])
    expect(body.errors?.map(({ code }) => code)).toEqual(['ambiguous', 'ambiguous'])
    const variants = ['chromium', 'firefox'].map((variant) => makeTest('pays', ['passed'], { variant }))
    expect((await uploadTests(variants)).body.tests).toEqual(counts({ total: 2, matched: 2 }))
  })

  it('adds a test case to the run only if the run or the upload says so', async () => {
    const { project, run, upload, uploadTests, makeRunByKey } = await makeTestsScenario(server)
    await makeTestCase(server, project, { automation_key: 'pays' })
    const closed = await makeRunByKey('closed', { test_case_ids: [] })
    expect([run.adds_test_cases, closed.adds_test_cases]).toEqual([true, false])
    const inClosed = { run_id: closed.id }
    const refused = await uploadTests([makeTest('pays')], inClosed)
    expect(refused.body).toMatchObject({ uploaded_count: 0, errors: [{ test_case_id: 'WEB-1', code: 'not_in_run' }] })
    expect((await uploadTests([makeTest('pays')], { ...inClosed, add_to_run: true })).body.uploaded_count).toBe(1)
    expect((await uploadTests([makeTest('pays')], { add_to_run: false })).body.uploaded_count).toBe(0)
    expect((await uploadTests([makeTest('pays')])).body.uploaded_count).toBe(1)
    expect((await upload({ results: [] })).status).toBe(200)
  })

  it('returns the same receipt for a dry run, and stores nothing', async () => {
    const { project, uploadTests, listTests, getRun } = await makeTestsScenario(server)
    await makeTestCase(server, project, { automation_key: 'pays' })
    const tests = [makeTest('pays', ['failed', 'passed']), makeTest('ships'), makeTest('WEB-9')]
    const dry = await uploadTests(tests, { dry_run: true, create_test_cases: true })
    expect([(await listTests()).data, (await getRun()).result_count]).toEqual([[], 0])
    const real = await uploadTests(tests, { create_test_cases: true })
    expect([dry.status, { ...dry.body, stats: real.body.stats }]).toEqual([207, { ...real.body, dry_run: true }])
  })

  it('tells tests of the same titles in one file apart, so that none hides a failure', async () => {
    const { uploadTests, listRunTests } = await makeTestsScenario(server)
    const tests = [makeTest('twice', ['failed']), makeTest('twice')]
    await uploadTests(tests)
    await uploadTests(tests)
    expect((await listRunTests()).data.map(({ variant, outcome }) => [variant, outcome])).toEqual([
      ['', 'failed'],
      ['#2', 'passed'],
    ])
  })

  it.each([
    [{ tests: undefined }, '/tests'],
    [{ tests: [{ name: 'x' }] }, '/tests/0/attempts'],
    [{ tests: [{ name: 'x', attempts: [] }] }, '/tests/0/attempts'],
    [{ tests: [{ name: 'x', attempts: [{ status: 'ok' }] }] }, '/tests/0/attempts/0/status'],
    [{ tests: [{ name: '', attempts: [{ status: 'passed' }] }] }, '/tests/0/name'],
    [{ tests: [], suite_errors: [{ where: 'x' }] }, '/suite_errors/0/message'],
  ])('returns 400 with the field for %j', async (fields, path) => {
    const { uploadTests } = await makeTestsScenario(server)
    const { status, body } = await uploadTests([], fields)
    const { errors } = body as unknown as { errors: { path: string }[] }
    expect([status, errors.map((error) => error.path)]).toEqual([400, [path]])
  })

  it('stores a test that counts only if the run has an outcome of it, if it has', async () => {
    const { project, uploadTests, listRunTests } = await makeTestsScenario(server)
    const job = { job: 'test', instance: '1' }
    const passes = (name: string) => makeTest(name, ['passed'], { only_if_reported: true })
    const read = async () => (await listRunTests()).data.map(({ name, outcome, is_flaky }) => [name, outcome, is_flaky])
    await uploadTests([makeTest('cart > adds'), passes('orders')], { ...job, build_attempt: 1 })
    await uploadTests([makeTest('cart', ['failed'])], { ...job, build_attempt: 1 })
    const { body } = await uploadTests([passes('cart'), passes('orders'), makeTest('cart > adds')], {
      ...job,
      build_attempt: 2,
    })
    expect(body.tests).toMatchObject({ total: 2, unmatched: 2, flaky: 1, repeated: 0 })
    expect(await read()).toEqual([
      ['cart > adds', 'passed', false],
      ['cart', 'passed', true],
    ])
    // A test of the same names is numbered as if the other were not there.
    await uploadTests([passes('cart > adds'), makeTest('cart > adds', ['failed'])], { ...job, build_attempt: 3 })
    expect((await read()).slice(0, 1)).toEqual([['cart > adds', 'failed', false]])
    expect((await read()).length).toBe(2)
    await expectCorrectCounters(server, project.id)
  })

  it('stores errors outside of tests, and replaces those of the same shard', async () => {
    const { project, run, token, uploadTests, getRun } = await makeTestsScenario(server)
    const send = (shard: string, messages: string[]) =>
      uploadTests([], { shard, suite_errors: messages.map((message) => ({ where: 'a.test.ts', message })) })
    expect((await send('1', ['no', 'never'])).body).toMatchObject({
      failed_count: 2,
      errors: [{ code: 'suite_error' }, {}],
    })
    await send('2', ['other'])
    expect((await getRun()).suite_error_count).toBe(3)
    await send('1', ['again'])
    await expectCorrectCounters(server, project.id)
    const { body } = await server.request<{ data: object[] }>('GET', `/v1/runs/${run.id}/suite-errors`, { token })
    expect(body.data).toMatchObject([
      { where: 'a.test.ts', message: 'again', shard: '1' },
      { where: 'a.test.ts', message: 'other', shard: '2' },
    ])
  })
})

import type { LeftOut } from '@caseward/contract/left-out'
import type { SuiteErrorInRun } from '@caseward/contract/run-tests'
import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

interface Data<T> {
  data: T
}

/** A run whose file had the failed test `pays by check` at first, and later only `pays by card`, which passed. */
async function makeStaleScenario() {
  const scenario = await makeTestsScenario(server)
  const { project, token, run, uploadTests, listRunTests, getRun } = scenario
  const { id: caseId } = await makeTestCase(server, project, { automation_key: 'pays by check' })
  const call = async <T>(method: string, path: string) =>
    await server.request<T>(method, `/v1/runs/${run.id}/${path}`, { token })
  await uploadTests([makeTest('pays by check', ['failed']), makeTest('pays by card')])
  await uploadTests([makeTest('pays by card')])
  const names = new Map((await listRunTests()).data.map(({ name, id }) => [name, id]))
  const staleId = names.get('pays by check') ?? ''
  return {
    ...scenario,
    caseId,
    staleId,
    currentId: names.get('pays by card') ?? '',
    call,
    leaveOut: (id = staleId) => call<Data<LeftOut>>('POST', `tests/${id}/leave-out`),
    putBack: (id = staleId) => call<Data<LeftOut>>('DELETE', `left-out/${id}`),
    listLeftOut: async () => (await call<Data<LeftOut[]>>('GET', 'left-out')).body.data,
    readStatus: async () => (await call<Data<{ status: string }>>('GET', `results/${caseId}`)).body.data.status,
    readCounts: async () => {
      const { stats, test_stats: tests } = await getRun()
      return { failedResults: stats.failed, failedTests: tests.failed, passedTests: tests.passed }
    },
  }
}

describe('GET /v1/runs/:run_id/tests/:test_id', () => {
  it('says that a test is not in the newest report of its file, and of others that they are', async () => {
    const { staleId, currentId, getRunTest, call, caseId } = await makeStaleScenario()
    expect((await getRunTest(staleId)).is_in_newest_report).toBe(false)
    expect((await getRunTest(currentId)).is_in_newest_report).toBe(true)
    const { body } = await call<Data<{ tests: { is_in_newest_report: boolean }[] }>>('GET', `results/${caseId}`)
    expect(body.data.tests.map((test) => test.is_in_newest_report)).toEqual([false])
  })

  it.each([
    ['of another file', [makeTest('ships', ['passed'], { file: 'b.test.ts', suite: 'b.test.ts' })], {}],
    ['of another CI job', [makeTest('ships')], { job: 'unit' }],
    ['of another variant', [makeTest('ships', ['passed'], { variant: 'firefox' })], {}],
  ])('says that a test is in the newest report of its file after a report %s', async (_name, tests, fields) => {
    const { uploadTests, currentId, getRunTest } = await makeStaleScenario()
    await uploadTests(tests, fields)
    expect((await getRunTest(currentId)).is_in_newest_report).toBe(true)
  })

  it('says that a row of a table is not in the newest report when the table has become shorter', async () => {
    const { uploadTests, listRunTests, getRunTest } = await makeTestsScenario(server)
    await uploadTests([makeTest('adds'), makeTest('adds')])
    await uploadTests([makeTest('adds')])
    const flags = (await listRunTests()).data.map(async ({ id, variant }) => [
      variant,
      (await getRunTest(id)).is_in_newest_report,
    ])
    expect(await Promise.all(flags)).toEqual([
      ['', true],
      ['#2', false],
    ])
  })
})

describe('POST /v1/runs/:run_id/tests/:test_id/leave-out', () => {
  it('removes the test from the run and its counts, leaves its test case untested, and lists who did it', async () => {
    const { project, leaveOut, listLeftOut, readStatus, readCounts, listRunTests, staleId } = await makeStaleScenario()
    expect([await readStatus(), await readCounts()]).toEqual([
      'failed',
      { failedResults: 1, failedTests: 1, passedTests: 1 },
    ])
    const { status, body } = await leaveOut()
    const expected = {
      id: staleId,
      kind: 'test',
      name: 'src/cart.test.ts > pays by check',
      outcome: 'failed',
      left_out_by: project.admin.id,
    }
    expect([status, body.data]).toEqual([200, { ...expected, left_out_at: expect.any(String) }])
    expect([await readStatus(), await readCounts()]).toEqual([
      'not_tested',
      { failedResults: 0, failedTests: 0, passedTests: 1 },
    ])
    expect(await listLeftOut()).toEqual([body.data])
    expect((await listRunTests()).data.map(({ name }) => name)).toEqual(['pays by card'])
    await expectCorrectCounters(server, project.id)
  })

  it('derives the result from the other tests of the test case, with their time', async () => {
    const { link, currentId, caseId, leaveOut, readStatus, uploadTests } = await makeStaleScenario()
    await link(currentId, caseId)
    await leaveOut()
    expect(await readStatus()).toBe('passed')
    // What ended before it was left out, and arrives later, still counts.
    const finished_at = new Date(Date.now() - 1).toISOString()
    await uploadTests([makeTest('pays by card', ['failed'])], { finished_at })
    expect(await readStatus()).toBe('failed')
  })

  it('keeps a result that a user has set since', async () => {
    const { run, token, caseId, leaveOut, readStatus } = await makeStaleScenario()
    await server.request('PUT', `/v1/runs/${run.id}/results/${caseId}`, { token, body: { status: 'blocked' } })
    await leaveOut()
    expect(await readStatus()).toBe('blocked')
  })

  it('is undone by an upload that contains the test', async () => {
    const { project, leaveOut, uploadTests, readStatus, readCounts, listLeftOut } = await makeStaleScenario()
    await leaveOut()
    await uploadTests([makeTest('pays by check', ['failed'])])
    expect([await readStatus(), (await readCounts()).failedTests, await listLeftOut()]).toEqual(['failed', 1, []])
    expect((await leaveOut()).status).toBe(200)
    expect((await listLeftOut()).length).toBe(1)
    await expectCorrectCounters(server, project.id)
  })

  it('returns 404 for a test that the run does not have, and 409 when the run is completed', async () => {
    const { run, token, leaveOut } = await makeStaleScenario()
    expect((await leaveOut('nonsense')).status).toBe(404)
    expect((await leaveOut('019aa5b9-0b1c-7d2e-8f3a-4b5c6d7e8f90')).status).toBe(404)
    await server.request('PATCH', `/v1/runs/${run.id}`, { token, body: { status: 'completed' } })
    expect(await leaveOut()).toMatchObject({ status: 409, body: { code: 'run_completed' } })
  })
})

describe('DELETE /v1/runs/:run_id/left-out/:id', () => {
  it('puts the outcome back with what each CI job reported, and the result', async () => {
    const { project, staleId, uploadTests, getRunTest, leaveOut, putBack, readStatus, listLeftOut } =
      await makeStaleScenario()
    await uploadTests([makeTest('pays by check')], { job: 'windows' })
    const before = await getRunTest(staleId)
    expect(before.parts.length).toBe(2)
    await leaveOut()
    expect((await putBack()).status).toBe(200)
    expect(await getRunTest(staleId)).toEqual(before)
    expect([await readStatus(), await listLeftOut()]).toEqual(['failed', []])
    expect((await putBack()).status).toBe(404)
    await expectCorrectCounters(server, project.id)
  })

  it('keeps what was reported meanwhile', async () => {
    const { project, leaveOut, putBack, uploadTests, readStatus, readCounts } = await makeStaleScenario()
    await leaveOut()
    await uploadTests([makeTest('pays by check')])
    await putBack()
    expect([await readStatus(), (await readCounts()).failedTests]).toEqual(['passed', 0])
    await expectCorrectCounters(server, project.id)
  })
})

describe('POST /v1/runs/:run_id/suite-errors/:error_id/leave-out', () => {
  it('removes the error from the run until it is put back or reported again', async () => {
    const { uploadTests, call, putBack, getRun, listLeftOut } = await makeStaleScenario()
    const report = () =>
      uploadTests([makeTest('pays by card')], { suite_errors: [{ where: 'b.test.ts', message: 'No.' }] })
    const readErrors = async () => (await call<Data<SuiteErrorInRun[]>>('GET', 'suite-errors')).body.data
    const leaveOut = async () =>
      (await call<Data<LeftOut>>('POST', `suite-errors/${(await readErrors())[0]?.id ?? ''}/leave-out`)).body.data
    await report()
    const leftOut = await leaveOut()
    expect(leftOut).toMatchObject({ kind: 'suite_error', name: 'b.test.ts', outcome: null })
    expect([await readErrors(), (await getRun()).suite_error_count]).toEqual([[], 0])
    await putBack(leftOut.id)
    expect([(await readErrors()).length, (await getRun()).suite_error_count]).toEqual([1, 1])
    const again = await leaveOut()
    await report()
    expect((await getRun()).suite_error_count).toBe(1)
    await putBack(again.id)
    expect([(await getRun()).suite_error_count, await listLeftOut()]).toEqual([1, []])
  })
})

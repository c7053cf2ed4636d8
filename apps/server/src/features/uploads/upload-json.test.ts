import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { makeStats, makeUploadScenario } from '@caseward/test-support/upload-scenario'

const server = useSharedServer()

const makeScenario = (cases?: number) => makeUploadScenario(server, cases)
const passed = { test_case_id: 'WEB-1', status: 'passed' }

describe('POST /v1/results with JSON', () => {
  it(
    'returns 200 with the counts of the stored results, and stores them',
    {
      tags: [
        'spec:upload/path-v1-results-method-decided-post',
        'spec:upload/run_id-required-the-run-to-upload-into',
        'spec:upload/results-note-optional-note-or-error-message',
        'spec:upload/results-elapsed-optional-whole-seconds',
        'spec:upload/dry_run-false-by-default',
        'spec:upload/200-success-uploaded_count-failed_count-stats',
        'spec:upload/200-stats-counts-each-of-the-five-statuses',
      ],
    },
    async () => {
      const { project, upload, results } = await makeScenario(4)
      const { status, body } = await upload({
        results: [
          { test_case_id: 'WEB-1', status: 'passed', elapsed: 3 },
          { test_case_id: 'WEB-2', status: 'failed', note: 'AssertionError' },
          { test_case_id: 'WEB-3', status: 'failed' },
        ],
      })
      const receipt = { success: true, uploaded_count: 3, failed_count: 0, stats: makeStats({ passed: 1, failed: 2 }) }
      expect([status, body]).toEqual([200, receipt])
      const stored = await results()
      const byCi = { tested_by: null, tested_at: expect.any(String) }
      expect(stored.get('WEB-1')).toMatchObject({ status: 'passed', note: null, elapsed: 3, ...byCi })
      expect(stored.get('WEB-2')).toMatchObject({ status: 'failed', note: 'AssertionError', elapsed: null, ...byCi })
      expect(stored.get('WEB-4')).toMatchObject({ status: 'not_tested', tested_at: null })
      await expectCorrectCounters(server, project.id)
    },
  )

  it.each(['passed', 'failed', 'blocked', 'retest', 'not_tested'])(
    'accepts the status %s',
    {
      tags: [
        'spec:results/any-of-the-five-is-taken-by-an-upload',
        'spec:upload/results-status-one-of-five',
        'spec:upload/200-stats-counts-each-of-the-five-statuses',
      ],
    },
    async (status) => {
      const { upload, results } = await makeScenario(1)
      const { body } = await upload({ results: [{ test_case_id: 'WEB-1', status }] })
      expect(body.stats).toEqual(makeStats({ [status]: 1 }))
      expect((await results()).get('WEB-1')).toMatchObject({ status, tested_at: expect.any(String) })
    },
  )

  it(
    'returns 207 with an error for each result that is not in the run, and stores the others',
    {
      tags: [
        'spec:upload/results-test_case_id-matched-inside-the-run',
        'spec:upload/207-success-false-partial_failure-counts-stats',
        'spec:upload/207-errors-of-test_case_id-and-error',
        'spec:upload/207-some-were-stored-and-some-failed',
        'spec:errors/207-ci-upload-partial-success',
      ],
    },
    async () => {
      const { project, upload, results } = await makeScenario(2)
      await makeTestCases(server, project, 1)
      const { status, body } = await upload({
        results: [{ test_case_id: 'WEB-3', status: 'failed' }, passed, { test_case_id: 'APP-1', status: 'passed' }],
      })
      expect(status).toBe(207)
      expect(body).toEqual({
        success: false,
        partial_failure: true,
        uploaded_count: 1,
        failed_count: 2,
        stats: makeStats({ passed: 1 }),
        errors: [
          { test_case_id: 'WEB-3', error: 'WEB-3 is not in this run.', code: 'not_in_run' },
          { test_case_id: 'APP-1', error: 'APP-1 is not in this run.', code: 'not_in_run' },
        ],
      })
      expect((await results()).get('WEB-1')?.status).toBe('passed')
    },
  )

  it('returns 207 when no result could be stored', async () => {
    const { upload } = await makeScenario(0)
    expect(await upload({ results: [passed] })).toMatchObject({
      status: 207,
      body: { success: false, partial_failure: true, uploaded_count: 0, failed_count: 1, stats: makeStats() },
    })
  })

  it('returns an error for each of 1,001 results that are not in the run', async () => {
    const { upload } = await makeScenario(1)
    const ids = Array.from({ length: 1001 }, (_, index) => `WEB-${index + 2}`)
    const { status, body } = await upload({ results: ids.map((id) => ({ ...passed, test_case_id: id })) })
    expect([status, body.failed_count]).toEqual([207, 1001])
    expect(body.errors?.map(({ test_case_id }) => test_case_id)).toEqual(ids)
  })

  it('returns 200 for an empty list of results, and stores nothing', async () => {
    const { upload, results } = await makeScenario(1)
    const receipt = { success: true, uploaded_count: 0, failed_count: 0, stats: makeStats() }
    expect(await upload({ results: [] })).toMatchObject({ status: 200, body: receipt })
    expect((await results()).get('WEB-1')?.tested_at).toBeNull()
  })

  it(
    'overwrites status, note and elapsed time of an earlier result, also with null',
    {
      tags: [
        'spec:results/an-upload-overwrites-an-earlier-result',
        'spec:upload/uploading-a-case-again-overwrites-its-earlier',
      ],
    },
    async () => {
      const { project, run, token, upload, results } = await makeScenario(1)
      await server.request('PUT', `/v1/runs/${run.id}/results/WEB-1`, {
        token,
        body: { status: 'failed', note: 'by hand', elapsed: 9 },
      })
      await upload({ results: [passed] })
      expect((await results()).get('WEB-1')).toMatchObject({
        status: 'passed',
        note: null,
        elapsed: null,
        tested_by: null,
      })
      await expectCorrectCounters(server, project.id)
    },
  )

  it(
    'returns and stores the same when the upload is repeated',
    { tags: ['spec:upload/uploads-are-idempotent'] },
    async () => {
      const { project, upload, results } = await makeScenario(2)
      const body = { results: [{ ...passed, note: 'n', elapsed: 1 }] }
      const first = await upload(body)
      const before = (await results()).get('WEB-1')
      expect(await upload(body)).toMatchObject({ status: first.status, body: first.body })
      expect((await results()).get('WEB-1')).toEqual({ ...before, tested_at: expect.any(String) })
      await expectCorrectCounters(server, project.id)
    },
  )

  it('stores only the last of several results for one test case', async () => {
    const { upload, results } = await makeScenario(1)
    const { body } = await upload({ results: [{ ...passed, status: 'failed', note: 'first' }, passed] })
    expect(body).toMatchObject({ uploaded_count: 1, failed_count: 0, stats: makeStats({ passed: 1 }) })
    expect((await results()).get('WEB-1')).toMatchObject({ status: 'passed', note: null })
  })

  it('truncates a note of more than 65,536 characters, and stores the result', async () => {
    const { upload, results } = await makeScenario(1)
    const note = '🐞'.repeat(65_537)
    expect((await upload({ results: [{ ...passed, note }] })).status).toBe(200)
    expect((await results()).get('WEB-1')?.note === `${'🐞'.repeat(65_536)}… [cut]`).toBe(true)
  })

  it('accepts 25,000 results in one upload', async () => {
    const { project, upload } = await makeScenario(50)
    const results = Array.from({ length: 25_000 }, (_, index) => ({
      test_case_id: `WEB-${index + 1}`,
      status: 'passed',
    }))
    const { status, body } = await upload({ results })
    expect([status, body.uploaded_count, body.failed_count]).toEqual([207, 50, 24_950])
    await expectCorrectCounters(server, project.id)
  })
})

describe('POST /v1/results with dry_run', () => {
  it.each([
    ['partially storable JSON', { results: [passed, { test_case_id: 'WEB-9', status: 'failed' }] }],
    ['completely storable JSON', { results: [passed] }],
    ['partially storable JUnit', { junit_xml: '<testsuite><testcase name="WEB-1"/><testcase name="x"/></testsuite>' }],
  ])(
    'returns the response of a real upload plus dry_run for %s, and stores nothing',
    {
      tags: [
        'spec:upload/dry_run-true-validates',
        'spec:upload/dry_run-true-stores-nothing',
        'spec:upload/answer-to-a-dry-run-decided-that-of-the-real',
      ],
    },
    async (_what, body) => {
      const { project, upload, results } = await makeScenario(2)
      const before = await results()
      const dry = await upload({ ...body, dry_run: true })
      expect(await results()).toEqual(before)
      await expectCorrectCounters(server, project.id)
      const real = await upload({ ...body, dry_run: false })
      expect(dry.status).toBe(real.status)
      expect(dry.body).toEqual({ ...real.body, dry_run: true })
      expect(real.body).not.toHaveProperty('dry_run')
    },
  )

  it(
    'returns 409 for a completed run, with and without dry_run',
    { tags: ['spec:runs/a-completed-run-is-a-record-decided-409', 'spec:upload/dry_run-true-validates'] },
    async () => {
      const { ci, run, complete } = await makeScenario(1)
      await complete()
      for (const dry_run of [true, false]) {
        const body = { run_id: run.id, results: [passed], dry_run }
        expect((await server.expectProblem(409, 'POST', '/v1/results', { token: ci, body })).code).toBe('run_completed')
      }
    },
  )
})

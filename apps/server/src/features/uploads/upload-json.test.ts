import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'

import { expectCorrectCounters } from '@caseward/test-support/counters'
import { makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeStats, makeUploadScenario } from '@caseward/test-support/upload-scenario'

const server = useTestServer()

const scene = (cases?: number) => makeUploadScenario(server, cases)
const passed = { test_case_id: 'WEB-1', status: 'passed' }
const junit = '<testsuite><testcase name="WEB-2"><failure/></testcase></testsuite>'

describe('POST /v1/results with JSON', () => {
  it(
    'stores every result and answers 200 with the counts of what it stored',
    {
      tags: [
        'spec:upload/path-v1-results-method-decided-post',
        'spec:upload/run_id-required-the-run-to-upload-into',
        'spec:upload/results-note-optional-note-or-error-message',
        'spec:upload/results-elapsed-optional-whole-seconds',
        'spec:upload/dry_run-false-where-nothing-is-said',
        'spec:upload/200-success-uploaded_count-failed_count-stats',
        'spec:upload/200-stats-counts-each-of-the-five-statuses',
      ],
    },
    async () => {
      const { project, upload, results } = await scene(4)
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
    'takes the status %s',
    {
      tags: [
        'spec:results/any-of-the-five-is-taken-by-an-upload',
        'spec:upload/results-status-one-of-five',
        'spec:upload/200-stats-counts-each-of-the-five-statuses',
      ],
    },
    async (status) => {
      const { upload, results } = await scene(1)
      const { body } = await upload({ results: [{ test_case_id: 'WEB-1', status }] })
      expect(body.stats).toEqual(makeStats({ [status]: 1 }))
      expect((await results()).get('WEB-1')).toMatchObject({ status, tested_at: expect.any(String) })
    },
  )

  it(
    'answers 207 with an error for each result that is not in the run, and stores the others',
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
      const { project, upload, results } = await scene(2)
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

  it('answers 207 also when nothing at all could be stored', async () => {
    const { upload } = await scene(0)
    expect(await upload({ results: [passed] })).toMatchObject({
      status: 207,
      body: { success: false, partial_failure: true, uploaded_count: 0, failed_count: 1, stats: makeStats() },
    })
  })

  it('names every result that is not in the run, however many they are', async () => {
    const { upload } = await scene(1)
    const ids = Array.from({ length: 1001 }, (_, index) => `WEB-${index + 2}`)
    const { status, body } = await upload({ results: ids.map((id) => ({ ...passed, test_case_id: id })) })
    expect([status, body.failed_count]).toEqual([207, 1001])
    expect(body.errors?.map(({ test_case_id }) => test_case_id)).toEqual(ids)
  })

  it('answers 200 to no results, and stores nothing', async () => {
    const { upload, results } = await scene(1)
    const receipt = { success: true, uploaded_count: 0, failed_count: 0, stats: makeStats() }
    expect(await upload({ results: [] })).toMatchObject({ status: 200, body: receipt })
    expect((await results()).get('WEB-1')?.tested_at).toBeNull()
  })

  it(
    'overwrites an earlier result as a whole',
    {
      tags: [
        'spec:results/an-upload-overwrites-an-earlier-result',
        'spec:upload/uploading-a-case-again-overwrites-its-earlier',
      ],
    },
    async () => {
      const { project, run, token, upload, results } = await scene(1)
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

  it('leaves the same behind when it is sent again', { tags: ['spec:upload/uploads-are-idempotent'] }, async () => {
    const { project, upload, results } = await scene(2)
    const body = { results: [{ ...passed, note: 'n', elapsed: 1 }] }
    const first = await upload(body)
    const before = (await results()).get('WEB-1')
    expect(await upload(body)).toMatchObject({ status: first.status, body: first.body })
    expect((await results()).get('WEB-1')).toEqual({ ...before, tested_at: expect.any(String) })
    await expectCorrectCounters(server, project.id)
  })

  it('counts only the last of several results for one test case', async () => {
    const { upload, results } = await scene(1)
    const { body } = await upload({ results: [{ ...passed, status: 'failed', note: 'first' }, passed] })
    expect(body).toMatchObject({ uploaded_count: 1, failed_count: 0, stats: makeStats({ passed: 1 }) })
    expect((await results()).get('WEB-1')).toMatchObject({ status: 'passed', note: null })
  })

  it('cuts a note that is too long, and stores the result', async () => {
    const { upload, results } = await scene(1)
    const note = '🐞'.repeat(65_537)
    expect((await upload({ results: [{ ...passed, note }] })).status).toBe(200)
    expect((await results()).get('WEB-1')?.note === `${'🐞'.repeat(65_536)}… [cut]`).toBe(true)
  })

  it('takes more than 10,000 results at once', async () => {
    const { project, upload } = await scene(50)
    const results = Array.from({ length: 25_000 }, (_, index) => ({
      test_case_id: `WEB-${index + 1}`,
      status: 'passed',
    }))
    const { status, body } = await upload({ results })
    expect([status, body.uploaded_count, body.failed_count]).toEqual([207, 50, 24_950])
    await expectCorrectCounters(server, project.id)
  })
})

describe('a dry run', () => {
  it.each([
    ['JSON', { results: [passed, { test_case_id: 'WEB-9', status: 'failed' }] }],
    ['JSON that is stored as a whole', { results: [passed] }],
    ['JUnit', { junit_xml: '<testsuite><testcase name="WEB-1"/><testcase name="x"/></testsuite>' }],
  ])(
    'answers to %s as the real call does, with dry_run, and stores nothing',
    {
      tags: [
        'spec:upload/dry_run-true-validates',
        'spec:upload/dry_run-true-stores-nothing',
        'spec:upload/answer-to-a-dry-run-decided-that-of-the-real',
      ],
    },
    async (_what, body) => {
      const { project, upload, results } = await scene(2)
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
    'refuses a completed run as the real call does',
    { tags: ['spec:runs/a-completed-run-is-a-record-decided-409', 'spec:upload/dry_run-true-validates'] },
    async () => {
      const { ci, run, complete } = await scene(1)
      await complete()
      for (const dry_run of [true, false]) {
        const body = { run_id: run.id, results: [passed], dry_run }
        expect((await server.expectProblem(409, 'POST', '/v1/results', { token: ci, body })).code).toBe('run_completed')
      }
    },
  )
})

describe('the format of an upload', () => {
  it.each([
    ['results alone', { results: [passed] }, 'passed'],
    ['results with format json', { format: 'json', results: [passed] }, 'passed'],
    ['results besides XML, without a format', { results: [passed], junit_xml: junit }, 'passed'],
    ['XML alone', { junit_xml: junit }, 'failed'],
    ['XML with format junit', { format: 'junit', junit_xml: junit }, 'failed'],
    ['XML besides results, with format junit', { format: 'junit', results: [passed], junit_xml: junit }, 'failed'],
  ])(
    'takes %s',
    {
      tags: [
        'spec:service/results-are-pushed-as-json-or-as-junit-xml',
        'spec:upload/format-json-where-nothing-is-said',
        'spec:upload/format-json-or-junit',
        'spec:upload/results-required-unless-junit_xml-is-given',
      ],
    },
    async (_what, body, status) => {
      const { upload } = await scene(2)
      expect(await upload(body)).toMatchObject({ status: 200, body: { stats: makeStats({ [status]: 1 }) } })
    },
  )

  it(
    'stores what a JUnit document in JSON says',
    { tags: ['spec:service/results-are-pushed-as-json-or-as-junit-xml', 'spec:upload/junit_xml-a-raw-junit-document'] },
    async () => {
      const { upload, results } = await scene(2)
      await upload({ format: 'junit', junit_xml: junit })
      const stored = [...(await results()).values()].map(({ test_case_id, status }) => [test_case_id, status])
      expect(stored).toEqual([
        ['WEB-1', 'not_tested'],
        ['WEB-2', 'failed'],
      ])
    },
  )

  it.each([
    ['nothing', {}, '/results'],
    ['format json without results', { format: 'json', junit_xml: junit }, '/results'],
    ['format junit without XML', { format: 'junit', results: [passed] }, '/junit_xml'],
    ['an unknown format', { format: 'xml', junit_xml: junit }, '/format'],
    ['results that are no list', { results: passed }, '/results'],
    ['null for results', { results: null }, '/results'],
    ['XML that is no text', { junit_xml: 5 }, '/junit_xml'],
    ['a dry_run that is neither', { results: [passed], dry_run: 'true' }, '/dry_run'],
    ['an unknown status', { results: [passed, { test_case_id: 'WEB-2', status: 'skipped' }] }, '/results/1/status'],
    ['an item without id', { results: [{ status: 'passed' }] }, '/results/0/test_case_id'],
    ['an item without status', { results: [{ test_case_id: 'WEB-1' }] }, '/results/0/status'],
    ['a fraction of a second', { results: [{ ...passed, elapsed: 0.5 }] }, '/results/0/elapsed'],
    ['a time below zero', { results: [{ ...passed, elapsed: -1 }] }, '/results/0/elapsed'],
    ['a note with NUL', { results: [{ ...passed, note: '\0' }] }, '/results/0/note'],
    ['XML that is not well-formed', { junit_xml: '<testsuite><testcase></testsuite>' }, '/junit_xml'],
    ['XML of another kind', { junit_xml: '<test-run/>' }, '/junit_xml'],
    ['empty XML', { junit_xml: '' }, '/junit_xml'],
  ])(
    'refuses %s, and stores nothing',
    {
      tags: [
        'spec:upload/format-json-or-junit',
        'spec:upload/results-required-unless-junit_xml-is-given',
        'spec:upload/results-test_case_id-required',
        'spec:upload/results-status-required',
        'spec:upload/results-status-one-of-five',
        'spec:upload/results-elapsed-optional-whole-seconds',
        'spec:upload/junit_xml-required-with-format-junit',
        'spec:upload/junit_xml-a-raw-junit-document',
        'spec:upload/dry_run-false-where-nothing-is-said',
        'spec:errors/400-ci-upload-invalid-structure',
        'spec:errors/400-ci-upload-missing-fields',
        'spec:errors/400-ci-upload-unknown-status',
      ],
    },
    async (_what, body, path) => {
      const { ci, run, results } = await scene(2)
      const problem = await server.expectProblem(400, 'POST', '/v1/results', {
        token: ci,
        body: { run_id: run.id, ...body },
      })
      expect(problem.errors?.map((error) => error.path)).toEqual([path])
      expect((await results()).get('WEB-1')?.tested_at).toBeNull()
    },
  )

  it('tells the place of a bad item behind thousands of good ones', async () => {
    const { ci, run } = await scene(0)
    const results = Array.from({ length: 5000 }, (_, index) => ({ ...passed, elapsed: index === 4321 ? -1 : 1 }))
    const problem = await server.expectProblem(400, 'POST', '/v1/results', {
      token: ci,
      body: { run_id: run.id, results },
    })
    expect(problem.errors?.map((error) => error.path)).toEqual(['/results/4321/elapsed'])
  })

  it.each([[{}], [{ run_id: 5 }], [{ run_id: null }]])(
    'refuses %j, which names no run',
    { tags: ['spec:upload/run_id-required-the-run-to-upload-into', 'spec:errors/400-ci-upload-missing-fields'] },
    async (body) => {
      const { ci } = await scene(0)
      const problem = await server.expectProblem(400, 'POST', '/v1/results', {
        token: ci,
        body: { results: [], ...body },
      })
      expect(problem.errors?.map((error) => error.path)).toEqual(['/run_id'])
    },
  )

  it.each([[uuidv7()], ['nonsense'], [''], ['\0']])(
    'does not find the run %j',
    { tags: ['spec:upload/goes-to-a-run-created-beforehand', 'spec:errors/404-ci-upload-no-such-run'] },
    async (run_id) => {
      const { ci } = await scene(0)
      await server.expectProblem(404, 'POST', '/v1/results', { token: ci, body: { run_id, results: 'nonsense' } })
    },
  )

  it.each([
    ['no XML', ''],
    ['XML of another kind', '<test-run/>'],
    ['malformed XML', '<testsuite>'],
  ])('says what is wrong with %s in sentences that end once', async (_what, junit_xml) => {
    const { ci, run } = await scene(0)
    const body = { run_id: run.id, junit_xml }
    const { detail } = await server.expectProblem(400, 'POST', '/v1/results', { token: ci, body })
    expect(detail).toMatch(/^The request is not valid: \/junit_xml cannot be read: .+[^.]\.$/)
  })

  it('says where malformed XML is malformed', async () => {
    const { ci, run } = await scene(0)
    const body = { run_id: run.id, junit_xml: '<testsuite>\n  <testcase name="a">\n</testsuite>' }
    const problem = await server.expectProblem(400, 'POST', '/v1/results', { token: ci, body })
    expect([problem.code, problem.detail]).toEqual(['invalid_junit_xml', expect.stringMatching(/line 3, column \d+/)])
  })
})

import { describe, expect, it } from 'vitest'

import { useSharedServer } from '@caseward/test-support/test-server'
import { makeStats, makeUploadScenario } from '@caseward/test-support/upload-scenario'

const server = useSharedServer()

const makeScenario = (cases?: number) => makeUploadScenario(server, cases)
const passed = { test_case_id: 'WEB-1', status: 'passed' }
const junit = '<testsuite><testcase name="WEB-2"><failure/></testcase></testsuite>'

describe('POST /v1/results with a format', () => {
  it.each([
    ['results without a format', { results: [passed] }, 'passed'],
    ['results with format json', { format: 'json', results: [passed] }, 'passed'],
    ['results beside XML without a format', { results: [passed], junit_xml: junit }, 'passed'],
    ['XML without a format', { junit_xml: junit }, 'failed'],
    ['XML with format junit', { format: 'junit', junit_xml: junit }, 'failed'],
    ['XML beside results with format junit', { format: 'junit', results: [passed], junit_xml: junit }, 'failed'],
  ])(
    'stores %s',
    {
      tags: [
        'spec:service/results-are-pushed-as-json-or-as-junit-xml',
        'spec:upload/format-json-by-default',
        'spec:upload/format-json-or-junit',
        'spec:upload/results-required-unless-junit_xml-is-given',
      ],
    },
    async (_what, body, status) => {
      const { upload } = await makeScenario(2)
      expect(await upload(body)).toMatchObject({ status: 200, body: { stats: makeStats({ [status]: 1 }) } })
    },
  )

  it(
    'stores the results of a JUnit document inside JSON',
    { tags: ['spec:service/results-are-pushed-as-json-or-as-junit-xml', 'spec:upload/junit_xml-a-raw-junit-document'] },
    async () => {
      const { upload, results } = await makeScenario(2)
      await upload({ format: 'junit', junit_xml: junit })
      const stored = [...(await results()).values()].map(({ test_case_id, status }) => [test_case_id, status])
      expect(stored).toEqual([
        ['WEB-1', 'not_tested'],
        ['WEB-2', 'failed'],
      ])
    },
  )

  it.each([
    ['neither results nor XML', {}, '/results'],
    ['format json without results', { format: 'json', junit_xml: junit }, '/results'],
    ['format junit without XML', { format: 'junit', results: [passed] }, '/junit_xml'],
    ['an unknown format', { format: 'xml', junit_xml: junit }, '/format'],
    ['results that are not a list', { results: passed }, '/results'],
    ['results that are null', { results: null }, '/results'],
    ['XML that is a number', { junit_xml: 5 }, '/junit_xml'],
    ['a dry_run that is not a boolean', { results: [passed], dry_run: 'true' }, '/dry_run'],
    ['an unknown status', { results: [passed, { test_case_id: 'WEB-2', status: 'skipped' }] }, '/results/1/status'],
    ['an item without id', { results: [{ status: 'passed' }] }, '/results/0/test_case_id'],
    ['an item without status', { results: [{ test_case_id: 'WEB-1' }] }, '/results/0/status'],
    ['a fraction of a second', { results: [{ ...passed, elapsed: 0.5 }] }, '/results/0/elapsed'],
    ['a negative time', { results: [{ ...passed, elapsed: -1 }] }, '/results/0/elapsed'],
    ['a note with a NUL character', { results: [{ ...passed, note: '\0' }] }, '/results/0/note'],
    ['XML that is not well-formed', { junit_xml: '<testsuite><testcase></testsuite>' }, '/junit_xml'],
    ['XML of another format', { junit_xml: '<test-run/>' }, '/junit_xml'],
    ['empty XML', { junit_xml: '' }, '/junit_xml'],
  ])(
    'returns 400 for %s, and stores nothing',
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
        'spec:upload/dry_run-false-by-default',
        'spec:errors/400-ci-upload-invalid-structure',
        'spec:errors/400-ci-upload-missing-fields',
        'spec:errors/400-ci-upload-unknown-status',
      ],
    },
    async (_what, body, path) => {
      const { ci, run, results } = await makeScenario(2)
      const problem = await server.expectProblem(400, 'POST', '/v1/results', {
        token: ci,
        body: { run_id: run.id, ...body },
      })
      expect(problem.errors?.map((error) => error.path)).toEqual([path])
      expect((await results()).get('WEB-1')?.tested_at).toBeNull()
    },
  )

  it('returns the path of an invalid item after thousands of valid ones', async () => {
    const { ci, run } = await makeScenario(0)
    const results = Array.from({ length: 5000 }, (_, index) => ({ ...passed, elapsed: index === 4321 ? -1 : 1 }))
    const problem = await server.expectProblem(400, 'POST', '/v1/results', {
      token: ci,
      body: { run_id: run.id, results },
    })
    expect(problem.errors?.map((error) => error.path)).toEqual(['/results/4321/elapsed'])
  })

  it.each([[{}], [{ run_id: 5 }], [{ run_id: null }]])(
    'returns 400 for the body %j, which has no run id',
    { tags: ['spec:upload/run_id-required-the-run-to-upload-into', 'spec:errors/400-ci-upload-missing-fields'] },
    async (body) => {
      const { ci } = await makeScenario(0)
      const problem = await server.expectProblem(400, 'POST', '/v1/results', {
        token: ci,
        body: { results: [], ...body },
      })
      expect(problem.errors?.map((error) => error.path)).toEqual(['/run_id'])
    },
  )

  it.each([['01a1fc2b-5f29-7584-9e03-d27674921b66'], ['nonsense'], [''], ['\0']])(
    'returns 404 for the unknown run id %j',
    { tags: ['spec:upload/goes-to-a-run-created-beforehand', 'spec:errors/404-ci-upload-no-such-run'] },
    async (run_id) => {
      const { ci } = await makeScenario(0)
      await server.expectProblem(404, 'POST', '/v1/results', { token: ci, body: { run_id, results: 'nonsense' } })
    },
  )

  it.each([
    ['empty XML', ''],
    ['XML of another format', '<test-run/>'],
    ['malformed XML', '<testsuite>'],
  ])('returns a detail that ends with one period for %s', async (_what, junit_xml) => {
    const { ci, run } = await makeScenario(0)
    const body = { run_id: run.id, junit_xml }
    const { detail } = await server.expectProblem(400, 'POST', '/v1/results', { token: ci, body })
    expect(detail).toMatch(/^The request is not valid: \/junit_xml cannot be read: .+[^.]\.$/)
  })

  it('returns line and column of malformed XML', async () => {
    const { ci, run } = await makeScenario(0)
    const body = { run_id: run.id, junit_xml: '<testsuite>\n  <testcase name="a">\n</testsuite>' }
    const problem = await server.expectProblem(400, 'POST', '/v1/results', { token: ci, body })
    expect([problem.code, problem.detail]).toEqual(['invalid_junit_xml', expect.stringMatching(/line 3, column \d+/)])
  })
})

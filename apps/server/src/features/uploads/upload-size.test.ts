import { describe, expect, it } from 'vitest'

import { useSharedServer } from '@caseward/test-support/test-server'
import { makeUploadScenario } from '@caseward/test-support/upload-scenario'

const server = useSharedServer()

const TEN_MB = 10 * 1024 * 1024

/** Returns text of exactly this many bytes, with the filler before the end. */
function buildText(bytes: number, start: string, filler: string, end: string): string {
  return start + filler.repeat(bytes - start.length - end.length) + end
}

describe('POST /v1/results with a body at the size limit', () => {
  it.each([
    ['JSON', 'application/json', '{"run_id":"RUN","results":[{"test_case_id":"WEB-1","status":"passed"}]', ' ', '}'],
    ['XML', 'application/xml', '<testsuite><testcase name="WEB-1"/>', ' ', '</testsuite>'],
    [
      'JUnit in JSON',
      'application/json',
      '{"run_id":"RUN","format":"junit","junit_xml":"<testsuite><testcase name=\\"WEB-1\\"/>',
      ' ',
      '</testsuite>"}',
    ],
  ])(
    'accepts 10 MB and returns 413 for one byte more: %s',
    { tags: ['spec:limits/10-mb-in-a-ci-upload'] },
    async (_what, type, start, filler, end) => {
      const { run, ci, results } = await makeUploadScenario(server, 1)
      const body = (bytes: number) => buildText(bytes, start.replace('RUN', run.id), filler, end)
      const options = (bytes: number) => ({ token: ci, body: body(bytes), headers: { 'content-type': type } })
      const path = `/v1/results?run_id=${run.id}`
      const problem = await server.expectProblem(413, 'POST', path, options(TEN_MB + 1))
      expect([problem.code, (await results()).get('WEB-1')?.status]).toEqual(['body_too_large', 'not_tested'])
      expect((await server.request('POST', path, options(TEN_MB))).status).toBe(200)
      expect((await results()).get('WEB-1')?.status).toBe('passed')
    },
  )
})

// upload-size-encodings.test.ts has the other encodings.
describe('POST /v1/results with a report of very many tests', () => {
  // Malformed at its start, so that only counting its tests takes time. The attacks send one that is well-formed.
  const buildReport = (tests: number) => `<testsuite><=>${'<testcase/>'.repeat(tests)}</testsuite>`

  it.each([
    ['XML', (report: string) => ({ body: report, headers: { 'content-type': 'application/xml' } })],
    [
      'JUnit in JSON',
      (report: string) => ({
        body: `{"junit_xml":${JSON.stringify(report)}}`,
        headers: { 'content-type': 'application/json' },
      }),
    ],
  ])('returns 400 above 250,000 tests before it parses them: %s', async (_what, toOptions) => {
    const { run, ci } = await makeUploadScenario(server, 1)
    const post = (tests: number) =>
      server.request('POST', `/v1/results?run_id=${run.id}`, { token: ci, ...toOptions(buildReport(tests)) })
    expect(await post(250_001)).toMatchObject({ status: 400, body: { code: 'too_many_tests' } })
    expect(await post(250_000)).toMatchObject({ status: 400, body: { code: 'invalid_junit_xml' } })
  })

  it('does not count closing tags, or the word in names and messages', async () => {
    const { uploadXml } = await makeUploadScenario(server, 1)
    const text = 'testcase '.repeat(300_000)
    const xml = `<testsuite><testcase name="WEB-1"><failure message="testcase">${text}</failure></testcase></testsuite>`
    expect((await uploadXml(xml)).status).toBe(200)
  })
})

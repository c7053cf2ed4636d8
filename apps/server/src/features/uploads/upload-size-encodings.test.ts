import { useSharedServer } from '@caseward/test-support/test-server'
import { makeUploadScenario } from '@caseward/test-support/upload-scenario'
import { describe, expect, it } from 'vitest'

const server = useSharedServer()

describe('POST /v1/results with a report of very many tests', () => {
  // Malformed at its start, so that only counting its tests takes time.
  const buildReport = (tests: number) => `<testsuite><=>${'<testcase/>'.repeat(tests)}</testsuite>`

  it.each([
    [
      'XML in UTF-16',
      (report: string) => ({
        body: Buffer.from(`\uFEFF${report}`, 'utf16le'),
        headers: { 'content-type': 'application/xml' },
      }),
    ],
    [
      'XML in UTF-16 after two byte order marks',
      (report: string) => ({
        body: Buffer.from(`\uFEFF\uFEFF${report}`, 'utf16le'),
        headers: { 'content-type': 'application/xml' },
      }),
    ],
    [
      'XML with a namespace',
      (report: string) => ({
        body: report
          .replaceAll('<t', '<j:t')
          .replace('<j:testsuite', '<j:testsuite xmlns:j="x"')
          .replace('</t', '</j:t'),
        headers: { 'content-type': 'application/xml' },
      }),
    ],
  ])('returns 400 above 250,000 tests before it parses them: %s', async (_what, toOptions) => {
    const { run, ci } = await makeUploadScenario(server, 1)
    const post = (tests: number) =>
      server.request('POST', `/v1/results?run_id=${run.id}`, { token: ci, ...toOptions(buildReport(tests)) })
    expect(await post(250_001)).toMatchObject({ status: 400, body: { code: 'too_many_tests' } })
    expect(await post(250_000)).toMatchObject({ status: 400, body: { code: 'invalid_junit_xml' } })
  })
})

import type { TestResult } from '@caseward/contract/results'
import type { PartialReceipt, UploadReceipt } from '@caseward/contract/uploads'

import { getRunResults, makeCiToken, makeProject, makeRun, makeTestCases } from './factories.ts'
import type { TestResponse } from './send-request.ts'
import type { TestServer } from './test-server.ts'

/** A receipt of a complete or of a partial upload. */
type Receipt = Omit<UploadReceipt, 'success'> & { success: boolean } & Partial<Omit<PartialReceipt, 'success'>>

/** Creates a project with test cases, a run of all of them, and a CI token that uploads into the run. */
export async function makeUploadScenario(server: TestServer, cases = 3) {
  const project = await makeProject(server)
  await makeTestCases(server, project, cases)
  const run = await makeRun(server, project)
  const ci = await makeCiToken(server, project)
  return {
    project,
    run,
    ci,
    token: project.admin.token,
    upload: (body: object): Promise<TestResponse<Receipt>> =>
      server.request('POST', '/v1/results', { token: ci, body: { run_id: run.id, ...body } }),
    uploadXml: (xml: string | Uint8Array, query = '', type = 'application/xml'): Promise<TestResponse<Receipt>> =>
      server.request('POST', `/v1/results?run_id=${run.id}${query}`, {
        token: ci,
        body: xml,
        headers: { 'content-type': type },
      }),
    results: (): Promise<Map<string | null, TestResult>> => getRunResults(server, run.id, project.admin.token),
    complete: (): Promise<unknown> =>
      server.request('PATCH', `/v1/runs/${run.id}`, { token: project.admin.token, body: { status: 'completed' } }),
  }
}

/** Completes the `stats` of a receipt with zeros. */
export const makeStats = (stats: Partial<UploadReceipt['stats']> = {}): UploadReceipt['stats'] => ({
  passed: 0,
  failed: 0,
  blocked: 0,
  retest: 0,
  not_tested: 0,
  ...stats,
})

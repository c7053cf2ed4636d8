import type { RunTest, RunTestDetail, TestAttempt } from '@caseward/contract/run-tests'
import type { ProjectTest } from '@caseward/contract/tests'
import type { Run } from '@caseward/contract/run-schemas'
import type { UploadedTest } from '@caseward/contract/uploaded-tests'

import { makeCiToken } from './factories.ts'
import type { TestServer } from './test-server.ts'
import { makeUploadScenario } from './upload-scenario.ts'

/** A page of tests. */
export interface TestPage<T> {
  data: T[]
  meta: { next_after: string | null; total: number }
}

type Status = TestAttempt['status']

/** A test of a suite `src/cart.test.ts` with one attempt for each status; none: one that passed. */
export const makeTest = (name: string, statuses: Status[] = ['passed'], fields: Partial<UploadedTest> = {}) => ({
  suite: 'src/cart.test.ts',
  file: 'src/cart.test.ts',
  name,
  attempts: statuses.map((status) => ({
    status,
    elapsed_ms: 100,
    ...(status === 'failed' ? { message: `${name} is wrong`, details: `at ${name}` } : {}),
  })),
  ...fields,
})

/** A project with test cases, a run that takes what is reported, and a CI token that may create test cases. */
export async function makeTestsScenario(server: TestServer, cases = 0) {
  const scenario = await makeUploadScenario(server, cases)
  const { project, token } = scenario
  const ci = await makeCiToken(server, project, 'write', { grants: ['cases:create'] })
  const get = async <T>(path: string) => (await server.request<T>('GET', path, { token })).body
  const makeRunByKey = async (key: string, fields: object = {}): Promise<Run> => {
    const response = await server.request<{ data: Run }>('POST', `/v1/projects/${project.id}/runs`, {
      token,
      body: { name: key, run_key: key, ...fields },
    })
    return response.body.data
  }
  const run = await makeRunByKey('build 1')
  return {
    ...scenario,
    run,
    ci,
    makeRunByKey,
    getRun: async (id = run.id) => (await get<{ data: Run }>(`/v1/runs/${id}`)).data,
    uploadTests: (tests: object[], fields: object = {}) =>
      server.request<Awaited<ReturnType<typeof scenario.upload>>['body']>('POST', '/v1/results', {
        token: ci,
        body: { run_id: run.id, format: 'tests', tests, ...fields },
      }),
    listRunTests: (query = '', runId = run.id) => get<TestPage<RunTest>>(`/v1/runs/${runId}/tests?${query}`),
    getRunTest: async (id: string, runId = run.id) =>
      (await get<{ data: RunTestDetail }>(`/v1/runs/${runId}/tests/${id}`)).data,
    listTests: (query = '') => get<TestPage<ProjectTest>>(`/v1/projects/${project.id}/tests?${query}`),
    link: (testId: string, caseId: string | null) =>
      server.request<{ data: ProjectTest }>('PATCH', `/v1/projects/${project.id}/tests/${testId}`, {
        token,
        body: { test_case_id: caseId },
      }),
    createTestCases: (fields: object) =>
      server.request<{
        data: { created: number; linked: number; remaining: number; test_cases: { id: string; title: string }[] }
      }>('POST', `/v1/projects/${project.id}/tests/create-test-cases`, { token, body: fields }),
  }
}

import type { Combination } from '@caseward/contract/combinations'
import type { ResultStatus } from '@caseward/contract/results'
import type { NewRunConfigurations } from '@caseward/contract/run-configurations'
import type { Run } from '@caseward/contract/run-schemas'
import { getRunResults, makeCiToken, makeConfigurations, makeProject, makeRun, makeTestCases } from './factories.ts'
import type { TestServer } from './test-server.ts'

/** Three browsers. */
export const THREE: NewRunConfigurations = { groups: { browser: ['chrome', 'firefox', 'safari'] } }

/** A run of test cases that are tested in browsers. */
export async function makeCombinationScenario(
  server: TestServer,
  count = 2,
  configurations: NewRunConfigurations | null = THREE,
) {
  const project = await makeProject(server)
  await makeConfigurations(server, project, { browser: ['chrome', 'firefox', 'safari'], system: ['windows', 'mac'] })
  const ids = await makeTestCases(server, project, count)
  const run = await makeRun(server, project, configurations === null ? {} : { configurations })
  const { token } = project.admin
  const url = `/v1/runs/${run.id}`
  const request = async <T>(method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    await server.request<T>(method, `${url}${path}`, body === undefined ? { token } : { token, body })
  const ci = await makeCiToken(server, project)
  const combinations = async (id: string) =>
    (await request<{ data: Combination[] }>('GET', `/results/${id}/combinations`)).body.data
  return {
    project,
    ids,
    run,
    token,
    request,
    readRun: async () => (await request<{ data: Run }>('GET', '')).body.data,
    status: async (id: string) => (await getRunResults(server, run.id, token)).get(id)?.status,
    combinations,
    statuses: async (id: string) => (await combinations(id)).map(({ name, status }) => `${name} ${status}`),
    set: async (id: string, place: number, status: ResultStatus, more: object = {}) =>
      await request<{ data: Combination; code?: string }>('PUT', `/results/${id}/combinations/${place}`, {
        status,
        ...more,
      }),
    upload: async (tests: object[], more: object = {}) =>
      await server.request<{ stats: object; errors?: object[] }>('POST', '/v1/results', {
        token: ci,
        body: { run_id: run.id, format: 'tests', tests, ...more },
      }),
    uploadItems: async (results: object[], more: object = {}) =>
      await server.request('POST', '/v1/results', { token: ci, body: { run_id: run.id, results, ...more } }),
  }
}

/** An uploaded test of a test case, in one variant. */
export const makeVariant = (id: string, variant: string, status: string, name = 'Pays') => ({
  name: `${name} ${id}`,
  variant,
  test_case_ids: [id],
  attempts: [{ status, ...(status === 'failed' ? { message: `broken in ${variant}` } : {}) }],
})

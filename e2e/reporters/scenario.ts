import type { TestResult } from '@caseward/contract/results'
import type { Run } from '@caseward/contract/run-schemas'
import type { RunTest, RunTestDetail, SuiteErrorInRun } from '@caseward/contract/run-tests'

import { getRunResults, makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import type { TestServer } from '@caseward/test-support/test-server'

/** Variables of a job in GitHub Actions. All jobs with them belong to the same build. */
export const githubEnv = {
  GITHUB_RUN_ID: '42',
  GITHUB_RUN_NUMBER: '7',
  GITHUB_REF_NAME: 'main',
  GITHUB_SHA: '1a2b3c',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'shop/web',
}

/** Variables of one job of this build. GitHub's "re-run failed jobs" runs it on another runner, with the next number. */
export const getGithubJob = (attempt: number) => ({
  ...githubEnv,
  GITHUB_WORKFLOW: 'test',
  GITHUB_JOB: 'unit',
  RUNNER_NAME: `runner ${attempt}`,
  RUNNER_OS: 'Linux',
  GITHUB_RUN_ATTEMPT: String(attempt),
})

/** The data of one test: a project WEB with test cases WEB-1, WEB-2, …, a run with all of them, and a CI token. */
export interface Scenario {
  projectId: string
  runId: string
  token: string
  admin: { id: string; token: string }
  /** The settings of a reporter. */
  env: { SERVICE_URL: string; SERVICE_TOKEN: string; SERVICE_RUN_ID: string }
  /** Returns the results of the run by test case id. */
  results(): Promise<Map<string | null, TestResult>>
  /** Returns the status of each tested test case by its id. */
  statuses(): Promise<Record<string, string>>
  /** Returns up to 100 tests of the run. */
  tests(): Promise<RunTest[]>
  /** Returns the outcome of each test of the run by its name. */
  outcomes(): Promise<Record<string, string>>
  /** Returns the files of the attempts at a test as `<attempt> <name> <state>`, and the titles of the steps of each attempt. */
  evidence(name: string): Promise<{ files: string[]; steps: string[][] }>
  /** Returns the runs of the project that reporters have created for CI builds. */
  buildRuns(): Promise<Run[]>
  /** Returns the errors outside of tests of the run, as `<where>: <first line of the message>`. */
  suiteErrors(): Promise<string[]>
}

/** Creates the data of one test, which no other test sees. */
export async function createScenario(server: TestServer, cases = 40): Promise<Scenario> {
  const project = await makeProject(server)
  await makeTestCases(server, project, cases)
  const token = await makeCiToken(server, project)
  const { id: runId } = await makeRun(server, project)
  const get = async <T>(path: string) =>
    (await server.request<{ data: T[] }>('GET', `/v1/runs/${runId}/${path}`, { token: project.admin.token })).body.data
  const tests = () => get<RunTest>('tests?per_page=100')
  const results = () => getRunResults(server, runId, project.admin.token)
  return {
    projectId: project.id,
    runId,
    token,
    admin: project.admin,
    env: { SERVICE_URL: server.url, SERVICE_TOKEN: token, SERVICE_RUN_ID: runId },
    results,
    async statuses() {
      const tested = [...(await results()).values()].filter(({ tested_at }) => tested_at !== null)
      return Object.fromEntries(tested.map(({ test_case_id, status }) => [test_case_id ?? '', status]))
    },
    tests,
    async outcomes() {
      return Object.fromEntries((await tests()).map(({ name, outcome }) => [name, outcome]))
    },
    async evidence(name) {
      const test = (await tests()).find((one) => one.name === name)
      const path = `/v1/runs/${runId}/tests/${test?.id ?? name}`
      const { body } = await server.request<{ data: RunTestDetail }>('GET', path, { token: project.admin.token })
      const files = body.data.attachments.map(({ attempt, name: file, state }) => `${attempt} ${file} ${state}`)
      return {
        files: files.toSorted(),
        steps: body.data.attempts.map(({ steps = [] }) => steps.map(({ title }) => title)),
      }
    },
    async buildRuns() {
      const path = `/v1/projects/${project.id}/runs`
      const { body } = await server.request<{ data: Run[] }>('GET', path, { token: project.admin.token })
      return body.data.filter(({ id }) => id !== runId)
    },
    async suiteErrors() {
      const errors = await get<SuiteErrorInRun>('suite-errors?per_page=100')
      return errors.map(({ where, message }) => `${where}: ${message.split('\n', 1)[0] ?? ''}`).toSorted()
    },
  }
}

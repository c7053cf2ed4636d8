import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { buildCommand, createCommandRunner } from '@caseward/test-support/caseward-command'
import { getRunResults, makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { afterAll, beforeAll, beforeEach } from 'vitest'

/** The statuses of a new run of the scenario. */
export const notTested = {
  'WEB-1': 'not_tested',
  'WEB-2': 'not_tested',
  'WEB-3': 'not_tested',
  'WEB-4': 'not_tested',
}

/**
 * `caseward upload` as a process of its own, as in a pipeline, against a real server: a project with four test cases, a
 * CI token, and a new run for each test. Its values can be used in tests and hooks only.
 */
export function useUploadScenario() {
  const server = useTestServer()
  let project: Awaited<ReturnType<typeof makeProject>>
  let token: string
  let runId: string
  let runner: Awaited<ReturnType<typeof createCommandRunner>>
  beforeAll(async () => {
    await buildCommand()
    project = await makeProject(server)
    await makeTestCases(server, project, 4)
    token = await makeCiToken(server, project)
    runner = await createCommandRunner()
  })
  afterAll(() => runner.remove())
  beforeEach(async () => {
    runId = (await makeRun(server, project)).id
  })
  const readResults = () => getRunResults(server, runId, project.admin.token)
  return {
    server,
    get project() {
      return project
    },
    /** The working directory of the command. */
    get cwd() {
      return runner.cwd
    },
    get runId() {
      return runId
    },
    async upload(
      args: readonly string[],
      { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
    ) {
      const settings = { SERVICE_URL: server.url, SERVICE_TOKEN: token, SERVICE_RUN_ID: runId }
      return await runner.run(['upload', ...args], { env: { ...settings, ...env }, input })
    },
    /** Writes a file into the working directory of the command. */
    async write(name: string, content: string | Uint8Array) {
      const path = join(runner.cwd, name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, content)
    },
    readResults,
    async readStatuses() {
      return Object.fromEntries([...(await readResults())].map(([id, { status }]) => [id, status]))
    },
  }
}

/** Builds a JUnit file from names of tests; `WEB-1:failed` is a failed test. */
export function buildJunitXml(...tests: string[]): string {
  const cases = tests.map((test) => {
    const [name = '', status] = test.split(':')
    return `<testcase name="${name}">${status === 'failed' ? '<failure message="no"/>' : ''}</testcase>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="s">${cases.join('')}</testsuite>`
}

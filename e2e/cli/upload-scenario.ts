import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { createCommandRunner } from '@caseward/test-support/caseward-command'
import { getRunResults, makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { afterAll, beforeAll, beforeEach } from 'vitest'

import { runInProcess } from './run-in-process.ts'

/** The statuses of a new run of the scenario. */
export const notTested = {
  'WEB-1': 'not_tested',
  'WEB-2': 'not_tested',
  'WEB-3': 'not_tested',
  'WEB-4': 'not_tested',
}

/**
 * `caseward upload` against a real server: a project with four test cases, a CI token, and a new run for each test. Its values
 * can be used in tests and hooks only.
 */
export function useUploadScenario() {
  const server = useSharedServer()
  let project: Awaited<ReturnType<typeof makeProject>>
  let token: string
  let runId: string
  let runner: Awaited<ReturnType<typeof createCommandRunner>>
  beforeAll(async () => {
    project = await makeProject(server)
    await makeTestCases(server, project, 4)
    token = await makeCiToken(server, project)
    runner = await createCommandRunner()
  })
  afterAll(() => runner.remove())
  beforeEach(async () => {
    runId = (await makeRun(server, project)).id
  })
  const getSettings = () => ({ SERVICE_URL: server.url, SERVICE_TOKEN: token, SERVICE_RUN_ID: runId })
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
    get token() {
      return token
    },
    get runId() {
      return runId
    },
    upload: (args: readonly string[], { env = {} }: { env?: Record<string, string> } = {}) =>
      runInProcess(['upload', ...args], { cwd: runner.cwd, env: { ...getSettings(), ...env } }),
    /** Uploads as a pipeline does: with a process of its own. */
    uploadByProcess: (args: readonly string[], { input = '' }: { input?: string } = {}) =>
      runner.run(['upload', ...args], { env: getSettings(), input }),
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

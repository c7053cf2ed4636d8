import type { TestResult } from '@caseward/contract/results'

import { getRunResults, makeCiToken, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import type { TestServer } from '@caseward/test-support/test-server'

/** What a pipeline has: a project WEB with cases WEB-1, WEB-2, …, a run over all of them, a CI token. */
export interface Scenario {
  projectId: string
  runId: string
  token: string
  admin: { id: string; token: string }
  /** The settings, as environment variables. */
  env: { SERVICE_URL: string; SERVICE_TOKEN: string; SERVICE_RUN_ID: string }
  /** What the run holds now, by test case id. */
  results(): Promise<Map<string | null, TestResult>>
  /** The status of each case that has one, by its id. */
  statuses(): Promise<Record<string, string>>
}

/** A scene of its own for each test that uploads: nothing of one is seen by another. */
export async function createScenario(server: TestServer, cases = 40): Promise<Scenario> {
  const project = await makeProject(server)
  await makeTestCases(server, project, cases)
  const token = await makeCiToken(server, project)
  const { id: runId } = await makeRun(server, project)
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
  }
}

import type { Run } from '@caseward/contract/run-schemas'
import { makeCiToken, makeFolder, makeProject, makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { beforeAll, expect } from 'vitest'

import { runInProcess } from './run-in-process.ts'

/** Registers a server with a project of three test cases in two folders. Returns what tests of `caseward run` do with it. */
export function useRunScenario() {
  const server = useSharedServer()
  const scenario = {} as { project: Awaited<ReturnType<typeof makeProject>>; token: string }

  beforeAll(async () => {
    const project = await makeProject(server)
    const outer = await makeFolder(server, project, { name: 'Shop' })
    const inner = await makeFolder(server, project, { name: 'In/Out', parent_id: outer.id })
    await makeTestCase(server, project, { title: 'One' })
    await makeTestCase(server, project, { title: 'Two', folder_id: outer.id })
    await makeTestCase(server, project, { title: 'Three', folder_id: inner.id })
    Object.assign(scenario, { project, token: await makeCiToken(server, project) })
  })

  const caseward = (args: readonly string[], env: Record<string, string> = {}) =>
    runInProcess(args, { cwd: '/', env: { SERVICE_URL: server.url, SERVICE_TOKEN: scenario.token, ...env } })
  const readRun = async (id: string): Promise<Run> => {
    const { token } = scenario.project.admin
    return (await server.request<{ data: Run }>('GET', `/v1/runs/${id}`, { token })).body.data
  }
  return {
    server,
    /** The project and the token of CI, once the server has started. */
    scenario,
    caseward,
    readRun,
    async createRun(args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
      const output = await caseward(['run', 'create', ...args], env)
      expect(output).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/) })
      return await readRun(output.stdout.trim())
    },
    async setStatuses(runId: string, statuses: Record<string, string>): Promise<void> {
      const results = Object.entries(statuses).map(([test_case_id, status]) => ({ test_case_id, status }))
      const path = `/v1/runs/${runId}/results/bulk`
      await server.request('POST', path, { token: scenario.project.admin.token, body: { results } })
    },
  }
}

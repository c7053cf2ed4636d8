import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Run } from '@caseward/contract/run-schemas'
import { createCommandRunner } from '@caseward/test-support/caseward-command'
import { makeCiToken, makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { afterAll, beforeAll, beforeEach } from 'vitest'

import { type Launcher, runCaseward, startLauncher } from '../reporters/launcher.ts'
import { runInProcess } from './run-in-process.ts'

export const shell = (script: string) => ['--', 'sh', '-c', script]

/** Prepares a project, and a directory with reports and a program `caseward`. Each test has a build of its own. */
export function useExecScenario() {
  const server = useSharedServer()
  let project: Awaited<ReturnType<typeof makeProject>>
  let runner: Awaited<ReturnType<typeof createCommandRunner>>
  let launcher: Launcher
  let settings: Record<string, string>
  let build = 0

  beforeAll(async () => {
    project = await makeProject(server)
    runner = await createCommandRunner()
    launcher = await startLauncher({ caseward: runCaseward })
    const program = join(runner.cwd, 'bin/caseward')
    await mkdir(join(runner.cwd, 'bin'))
    await writeFile(program, launcher.buildScript('caseward'))
    await chmod(program, 0o755)
    await writeFile(join(runner.cwd, 'passed.xml'), '<testsuite><testcase name="pays"/></testsuite>')
    await writeFile(
      join(runner.cwd, 'failed.xml'),
      '<testsuite><testcase name="ships"><failure/></testcase></testsuite>',
    )
  })
  afterAll(async () => {
    await launcher.close()
    await runner.remove()
  })
  beforeEach(async () => {
    build += 1
    settings = {
      SERVICE_URL: server.url,
      SERVICE_TOKEN: await makeCiToken(server, project),
      SERVICE_PROJECT_ID: project.id,
      SERVICE_RUN_KEY: `build ${build}`,
      SERVICE_JOB: 'unit',
      SERVICE_INSTANCE: '1',
    }
  })

  const get = async <T>(path: string) =>
    (await server.request<{ data: T }>('GET', path, { token: project.admin.token })).body.data

  async function findRun(): Promise<Run> {
    const runs = await get<Run[]>(`/v1/projects/${project.id}/runs?run_key=build%20${build}`)
    return runs[0] as Run
  }
  return {
    get cwd() {
      return runner.cwd
    },
    get settings() {
      return settings
    },
    /** Runs the command with a process of its own, whose standard output is that of the command that it starts. */
    execByProcess: (args: readonly string[], env: Record<string, string> = {}) =>
      runner.run(['exec', ...args], { env: { ...settings, ...env } }),
    /** Runs the command in this process. What it starts finds `caseward` as well, and prints to standard error alone. */
    exec: (args: readonly string[], env: Record<string, string> = {}) => {
      const PATH = `${join(runner.cwd, 'bin')}:${process.env['PATH']}`
      return runInProcess(['exec', ...args], { cwd: runner.cwd, env: { PATH, ...settings, ...env } })
    },
    findRun,
    listErrors: async () =>
      await get<{ where: string; message: string }[]>(`/v1/runs/${(await findRun()).id}/suite-errors`),
  }
}

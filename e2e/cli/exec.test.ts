import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Run } from '@caseward/contract/run-schemas'
import { createCommandRunner } from '@caseward/test-support/caseward-command'
import { makeCiToken, makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type Launcher, runCaseward, startLauncher } from '../reporters/launcher.ts'
import { runInProcess } from './run-in-process.ts'

const server = useSharedServer()
const caseward = fileURLToPath(new URL('../../packages/cli/bin/caseward.js', import.meta.url))

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
  await writeFile(join(runner.cwd, 'failed.xml'), '<testsuite><testcase name="ships"><failure/></testcase></testsuite>')
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

const shell = (script: string) => ['--', 'sh', '-c', script]

/** Runs the command with a process of its own, whose standard output is that of the command that it starts. */
const execByProcess = (args: readonly string[], env: Record<string, string> = {}) =>
  runner.run(['exec', ...args], { env: { ...settings, ...env } })

/** Runs the command in this process. What it starts finds `caseward` as well, and prints to standard error alone. */
const exec = (args: readonly string[], env: Record<string, string> = {}) => {
  const PATH = `${join(runner.cwd, 'bin')}:${process.env['PATH']}`
  return runInProcess(['exec', ...args], { cwd: runner.cwd, env: { PATH, ...settings, ...env } })
}

const get = async <T>(path: string) =>
  (await server.request<{ data: T }>('GET', path, { token: project.admin.token })).body.data

async function findRun(): Promise<Run> {
  const runs = await get<Run[]>(`/v1/projects/${project.id}/runs?run_key=build%20${build}`)
  return runs[0] as Run
}
const listErrors = async () =>
  await get<{ where: string; message: string }[]>(`/v1/runs/${(await findRun()).id}/suite-errors`)

describe('caseward exec', () => {
  it('passes output and exit code through, and makes the run, when the command succeeds', async () => {
    const output = await execByProcess(shell('echo out; echo err >&2'))
    expect(output).toEqual({ exitCode: 0, stdout: 'out\n', stderr: 'err\n' })
    expect(await findRun()).toMatchObject({ run_key: `build ${build}`, suite_error_count: 0 })
  })

  it('stores a failure that nothing has reported, with the exit code and the last 20 lines of standard error', async () => {
    const { exitCode, stderr } = await exec(shell('for i in $(seq 30); do echo "line $i" >&2; done; exit 3'))
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr: expect.stringMatching(/\nCaseward: the run is incomplete: .*stored as an error outside of tests: http/),
    })
    const [error] = await listErrors()
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 11}`)
    expect(error?.message.split('\n')).toEqual([
      'The command ended with exit code 3, and no test reported a failure.',
      ...lines,
    ])
    expect((await findRun()).test_stats.errors).toBe(1)
  })

  it('stores it although a test of the same job has passed, and one of another job has failed meanwhile', async () => {
    const uploads = 'SERVICE_JOB=e2e caseward upload failed.xml; caseward upload passed.xml'
    expect((await exec(shell(`${uploads}; exit 1`))).exitCode).toBe(1)
    const { test_stats: tests } = await findRun()
    expect(tests).toMatchObject({ total: 2, passed: 1, failed: 1, errors: 1 })
  })

  it('stores nothing when a test of the job was reported as failed, also the second time', async () => {
    const command = shell('caseward upload failed.xml; exit 1')
    for (let times = 0; times < 2; times += 1) expect((await exec(command)).exitCode).toBe(1)
    expect((await findRun()).test_stats).toMatchObject({ failed: 1, errors: 0 })
  })

  it.each([
    ['', ''],
    ['long ', ` # ${'x'.repeat(300)}`],
  ])('removes its error when the same job runs the %scommand again, and no other', async (_what, end) => {
    const script = `exit "\${CODE:-1}"${end}`
    await exec(shell(script))
    await exec(shell(`${script} # y`), { CODE: '0' })
    expect(await listErrors()).toHaveLength(1)
    await exec(shell(script), { CODE: '0' })
    expect(await listErrors()).toEqual([])
  })

  it('removes the values of secret variables from what is stored', async () => {
    const env = {
      NPM_AUTH_TOKEN: 'abc-token',
      DB_PASSWORD: 'p@ss word',
      SIGNING_KEY: '-----BEGIN-----\nMIIEsecretline\n-----END-----',
      CLIENT_SECRET: 'abc-token-and-more',
      HARMLESS: 'harmless',
    }
    const script = `echo "$NPM_AUTH_TOKEN $CLIENT_SECRET $HARMLESS"; echo 'postgres://u:p%40ss%20word@db'
echo "$SIGNING_KEY"; echo MIIEsecretline; exit 1`
    const { stderr } = await exec([...shell('eval "$SCRIPT" >&2'), 'abc-token'], { ...env, SCRIPT: script })
    expect(stderr).toContain('MIIEsecretline')
    const [error] = await listErrors()
    expect(error?.where).toMatch(/ \*\*\*$/)
    expect(error?.message.split('\n').slice(1)).toEqual(['*** *** harmless', 'postgres://u:***@db', '***', '***'])
  })

  it.each([
    ['that is not known', ['--', 'no-such-command-here'], 127, 'could not be started: the command was not found'],
    ['that a signal ends', shell('kill -KILL $$'), 137, 'was ended by SIGKILL'],
  ])('ends with the exit code of a shell for a command %s, and stores it', async (_, args, exitCode, description) => {
    expect((await exec(args)).exitCode).toBe(exitCode)
    expect((await listErrors())[0]?.message).toMatch(description)
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('passes %s on to the command, which can clean up', async (signal) => {
    const script = `trap 'echo cleaned up; exit 5' ${signal.slice('SIG'.length)}; echo ready; while :; do sleep 0.1; done`
    const child = spawn(process.execPath, [caseward, 'exec', ...shell(script)], {
      cwd: runner.cwd,
      env: { PATH: process.env['PATH'], ...settings },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let stdout = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (stdout === '') child.kill(signal)
      stdout += text
    })
    const [exitCode] = (await once(child, 'close')) as [number]
    expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: 'ready\ncleaned up\n' })
  })

  it.each([
    ['nothing is set', { SERVICE_URL: '', SERVICE_TOKEN: '', SERVICE_PROJECT_ID: '' }, /SERVICE_URL is set but empty/],
    ['the server cannot be reached', { SERVICE_URL: 'http://127.0.0.1:9' }, /Caseward: .*127\.0\.0\.1/],
  ])('runs the command with its exit code when %s', async (_, env, message) => {
    const { exitCode, stdout, stderr } = await execByProcess(['--retries', '0', ...shell('echo ran; exit 4')], env)
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 4,
      stdout: 'ran\n',
      stderr: expect.stringMatching(message),
    })
  })

  it('gives its options to the command as variables, and prints JSON alone with --json', async () => {
    const script = 'echo "$SERVICE_RUN_KEY $SERVICE_VARIANT $SERVICE_SUITE $SERVICE_TARGET $SERVICE_RUN_FIELDS"'
    const key = settings['SERVICE_RUN_KEY'] ?? ''
    const suite = ['--suite', 'nightly', '--target', '2.4.0']
    const fields = ['--run-field', 'os=linux, arm=no']
    const args = [...fields, '--json', '--run-key', key, '--variant', 'node 18', ...suite, ...shell(script)]
    const { stdout, stderr } = await execByProcess(args, { SERVICE_RUN_KEY: 'other' })
    expect(JSON.parse(stdout)).toEqual({ exit_code: 0, run_id: null, error_stored: false })
    expect(stderr).toBe(`${key} node 18 nightly 2.4.0 os=linux, arm=no\nos=linux, arm=no\n`)
  })
})

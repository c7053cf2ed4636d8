import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { describe, expect, it } from 'vitest'

import { shell, useExecScenario } from './exec-scenario.ts'

const scenario = useExecScenario()
const { exec, execByProcess, findRun, listErrors } = scenario
const caseward = fileURLToPath(new URL('../../packages/cli/bin/caseward.js', import.meta.url))

describe('caseward exec', () => {
  it('stores it although a test of the same job has passed, and one of another job has failed meanwhile', async () => {
    const uploads = 'SERVICE_JOB=e2e caseward upload failed.xml; caseward upload passed.xml'
    expect((await exec(shell(`${uploads}; exit 1`))).exitCode).toBe(1)
    const { test_stats: tests } = await findRun()
    expect(tests).toMatchObject({ total: 2, passed: 1, failed: 1, errors: 1 })
  })

  it.each([['long ', ` # ${'x'.repeat(300)}`]])(
    'removes its error when the same job runs the %scommand again, and no other',
    async (_what, end) => {
      const script = `exit "\${CODE:-1}"${end}`
      await exec(shell(script))
      await exec(shell(`${script} # y`), { CODE: '0' })
      expect(await listErrors()).toHaveLength(1)
      await exec(shell(script), { CODE: '0' })
      expect(await listErrors()).toEqual([])
    },
  )

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
      cwd: scenario.cwd,
      env: { PATH: process.env['PATH'], ...scenario.settings },
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

  it('gives its options to the command as variables, and prints JSON alone with --json', async () => {
    const script = 'echo "$SERVICE_RUN_KEY $SERVICE_VARIANT $SERVICE_SUITE $SERVICE_TARGET $SERVICE_RUN_FIELDS"'
    const key = scenario.settings['SERVICE_RUN_KEY'] ?? ''
    const suite = ['--suite', 'nightly', '--target', '2.4.0']
    const fields = ['--run-field', 'os=linux, arm=no']
    const args = [...fields, '--json', '--run-key', key, '--variant', 'node 18', ...suite, ...shell(script)]
    const { stdout, stderr } = await execByProcess(args, { SERVICE_RUN_KEY: 'other' })
    expect(JSON.parse(stdout)).toEqual({ exit_code: 0, run_id: null, error_stored: false })
    expect(stderr).toBe(`${key} node 18 nightly 2.4.0 os=linux, arm=no\nos=linux, arm=no\n`)
  })
})

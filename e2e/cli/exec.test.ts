import { describe, expect, it } from 'vitest'

import { shell, useExecScenario } from './exec-scenario.ts'

const scenario = useExecScenario()
const { exec, execByProcess, findRun, listErrors } = scenario

// exec-rarely.test.ts has signals, commands that cannot be started, and rarer options.
describe('caseward exec', () => {
  it('passes output and exit code through, and makes the run, when the command succeeds', async () => {
    const output = await execByProcess(shell('echo out; echo err >&2'))
    expect(output).toEqual({ exitCode: 0, stdout: 'out\n', stderr: 'err\n' })
    expect(await findRun()).toMatchObject({ run_key: scenario.settings['SERVICE_RUN_KEY'], suite_error_count: 0 })
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

  it('stores nothing when a test of the job was reported as failed, also the second time', async () => {
    const command = shell('caseward upload failed.xml; exit 1')
    for (let times = 0; times < 2; times += 1) expect((await exec(command)).exitCode).toBe(1)
    expect((await findRun()).test_stats).toMatchObject({ failed: 1, errors: 0 })
  })

  it('removes its error when the same job runs the command again, and no other', async () => {
    const script = 'exit "${CODE:-1}"'
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
})

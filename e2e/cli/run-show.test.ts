import { makeEvaluationScenario } from '@caseward/test-support/evaluation-scenario'
import { makeCiToken, makeRun } from '@caseward/test-support/factories'
import { describe, expect, it } from 'vitest'

import { runInProcess } from './run-in-process.ts'
import { useRunScenario } from './run-scenario.ts'

const { caseward, createRun, readRun, scenario, server, setStatuses } = useRunScenario()

describe('caseward run show', () => {
  it('prints status, counts, metadata and shards of a run', async () => {
    const { id } = await createRun([
      '--name',
      'R',
      '--expected-shards',
      '2',
      '--metadata',
      'branch=main',
      '--metadata',
      'ci_url=https://ci/1',
      '--metadata',
      'browser=firefox',
    ])
    await setStatuses(id, { 'WEB-1': 'passed', 'WEB-2': 'failed' })
    await server.request('POST', `/v1/runs/${id}/shards/one/done`, { token: scenario.project.admin.token })
    const { exitCode, stdout, stderr } = await caseward(['run', 'show', id])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout.split('\n')).toEqual([
      'R: in progress',
      '3 test cases: 1 passed, 1 failed, 1 not tested; pass rate 50%',
      'branch: main',
      'build: https://ci/1',
      'browser: firefox',
      'shards: 1 of 2 done (one)',
      `${server.url}/runs/${id}`,
      '',
    ])
  })

  it.each([
    ['failed', { 'WEB-1': 'passed' }, 0, ''],
    ['failed', { 'WEB-1': 'failed', 'WEB-2': 'retest' }, 2, 'Check failed: 1 failed, 1 retest.\n'],
    ['failed', { 'WEB-1': 'blocked' }, 2, 'Check failed: 1 blocked.\n'],
    ['incomplete', { 'WEB-1': 'passed', 'WEB-2': 'passed', 'WEB-3': 'passed' }, 0, ''],
    ['incomplete', { 'WEB-1': 'passed' }, 2, 'Check failed: 2 not tested.\n'],
  ])('checks --fail-on %s for results %j, with exit code %i', async (failOn, statuses, exitCode, stderr) => {
    const { id } = await makeRun(server, scenario.project)
    await setStatuses(id, statuses)
    expect(await caseward(['run', 'show', id, '--fail-on', failOn])).toMatchObject({ exitCode, stderr })
  })

  const failures = ['  failed, without a test case: pays', '  error outside of tests: b.test.mjs: Cannot find module']
  it.each([
    ['failed', '1 failed test without a test case, 1 error outside of tests', failures],
    [
      'incomplete',
      '1 failed test without a test case, 1 error outside of tests, 3 not tested, 1 CI job not done',
      [...failures, '  not done: unit (1 of 2 shards)'],
    ],
    ['flaky', '1 flaky', ['  flaky: ships']],
    [
      'failed,flaky',
      '1 failed test without a test case, 1 error outside of tests, 1 flaky',
      [...failures, '  flaky: ships'],
    ],
  ])(
    'checks --fail-on %s for tests without a test case and errors outside of tests, and names them',
    async (failOn, reason, names) => {
      const { id } = await makeRun(server, scenario.project)
      const token = await makeCiToken(server, scenario.project)
      const attempts = (...statuses: string[]) => statuses.map((status) => ({ status }))
      await server.request('POST', '/v1/results', {
        token,
        body: {
          run_id: id,
          format: 'tests',
          tests: [
            { name: 'pays', attempts: attempts('failed') },
            { name: 'ships', attempts: attempts('failed', 'passed') },
          ],
          suite_errors: [{ where: 'b.test.mjs', message: 'Cannot find module\nat b' }],
        },
      })
      await server.request('POST', `/v1/runs/${id}/shards/1/done`, { token, body: { job: 'unit', expected_shards: 2 } })
      const { exitCode, stdout, stderr } = await caseward(['run', 'show', id, '--fail-on', failOn])
      expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: `Check failed: ${reason}.\n` })
      expect(stdout).toContain('2 tests without a test case: 1 passed, 1 failed\n')
      expect(stdout).toContain('pass rate 0%, 1 error\n')
      for (const name of names) expect(stdout).toContain(`${name}\n`)
    },
  )

  it('fails --fail-on incomplete when nothing was reported, or a CI job has begun of which nothing came', async () => {
    const env = { SERVICE_PROJECT_ID: scenario.project.id, SERVICE_RUN_KEY: 'killed' }
    const { id } = await createRun([], env)
    const check = ['run', 'show', id, '--fail-on', 'incomplete']
    expect(await caseward(check)).toMatchObject({ exitCode: 2, stderr: 'Check failed: nothing was reported.\n' })
    await server.request('POST', `/v1/projects/${scenario.project.id}/runs`, {
      token: scenario.project.admin.token,
      body: { name: 'killed', run_key: 'killed', job: 'e2e' },
    })
    const { exitCode, stdout, stderr } = await caseward(check)
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'Check failed: nothing was reported, 1 CI job not done.\n',
    })
    expect(stdout).toContain('  not done: e2e (nothing reported)\n')
  })

  it('names the first ten of each kind, and counts the others', async () => {
    const { id } = await makeRun(server, scenario.project)
    const tests = Array.from({ length: 12 }, (_, index) => ({
      name: `test ${String(index).padStart(2, '0')}`,
      attempts: [{ status: 'failed' }],
    }))
    const token = await makeCiToken(server, scenario.project)
    await server.request('POST', '/v1/results', { token, body: { run_id: id, format: 'tests', tests } })
    const { stdout } = await caseward(['run', 'show', id, '--fail-on', 'failed'])
    expect(stdout.match(/^ {2}failed, without a test case: .*$/gm)).toHaveLength(11)
    expect(stdout).toContain('  failed, without a test case: and 2 more\n')
  })

  it.each([
    ['--fail-on', 'red', 'It must be one of failed, incomplete, flaky.'],
    ['--wait', 'soon', 'It must be a duration such as 90s, 10m or 1h.'],
  ])('rejects %s %s', async (option, value, message) => {
    const { exitCode, stderr } = await caseward(['run', 'show', option, value])
    expect(exitCode).toBe(1)
    expect(stderr).toContain(message)
  })

  it('waits with --wait until the CI jobs that have begun are done', async () => {
    const { id } = await makeRun(server, scenario.project)
    const token = await makeCiToken(server, scenario.project)
    const reportShard = (shard: string) =>
      server.request('POST', `/v1/runs/${id}/shards/${shard}/done`, {
        token,
        body: { job: 'unit', expected_shards: 2 },
      })
    await reportShard('1')
    const shown = caseward(['run', 'show', id, '--wait', '1m', '--fail-on', 'incomplete'])
    await reportShard('2')
    expect((await shown).stderr).toBe('Check failed: 3 not tested.\n')
    const early = await caseward(['run', 'show', (await makeRun(server, scenario.project)).id, '--wait', '0s'])
    expect(early.exitCode).toBe(0)
  })

  it('prints the run and the check as JSON with --json', async () => {
    const { id } = await makeRun(server, scenario.project)
    const { exitCode, stdout } = await caseward(['run', 'show', id, '--json', '--fail-on', 'incomplete'])
    expect(exitCode).toBe(2)
    expect(JSON.parse(stdout)).toEqual({
      run: await readRun(id),
      url: `${server.url}/runs/${id}`,
      check_passed: false,
      reason: '3 not tested',
    })
  })
})

describe('caseward run failed', () => {
  it('prints the tests that failed, could not run or were interrupted, or arguments that run only these again', async () => {
    const run = await createRun(['--name', 'Build', '--key', 'failed tests'])
    const file = 'src/cart.test.ts'
    const tests = ['passed', 'failed', 'blocked', 'interrupted', 'skipped'].map((status) => ({
      suite: file,
      file,
      name: `Cart > is ${status}`,
      attempts: [{ status }],
    }))
    const body = { run_id: run.id, format: 'tests', tests }
    const ci = scenario.token
    expect((await server.request('POST', '/v1/results', { token: ci, body })).status).toBeLessThan(300)
    const { stdout, stderr, exitCode } = await caseward(['run', 'failed', run.id])
    expect(stdout.split('\n')).toEqual([
      `${file}\tCart > is failed`,
      `${file}\tCart > is blocked`,
      `${file}\tCart > is interrupted`,
      '',
    ])
    expect([stderr, exitCode]).toEqual(['3 tests failed.\n', 0])
    const mocha = await caseward(['run', 'failed', run.id, '--format', 'mocha'])
    const pattern = ['failed', 'blocked', 'interrupted'].map((status) => `Cart (?:> )?is ${status}`).join('|')
    expect(mocha.stdout).toBe(`${file} '--grep=^(?:${pattern})$'\n`)
    const none = await createRun(['--name', 'Green'])
    expect(await caseward(['run', 'failed', none.id])).toMatchObject({ stdout: '', stderr: 'No test failed.\n' })
  })
})

describe('caseward run show --verdicts', () => {
  it('says which failures block and what they were compared with', async () => {
    const { build, ci } = await makeEvaluationScenario(server)
    await build(
      { stays: 'passed', red: 'failed', breaks: 'passed' },
      { metadata: { branch: 'main', commit: '8a006ed1' } },
    )
    const { id } = await build(
      { stays: 'passed', red: 'failed', breaks: 'failed' },
      { metadata: { branch: 'feature', commit: 'abcdef1' }, isOpen: true },
    )
    const env = { SERVICE_URL: server.url, SERVICE_TOKEN: ci }
    const show = (...args: string[]) => runInProcess(['run', 'show', id, '--verdicts', ...args], { cwd: '/', env })
    const { exitCode, stdout, stderr } = await show()
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    const lines = stdout.split('\n')
    const at = lines.indexOf('1 failure blocks: 1 new · 1 already red')
    expect(lines.slice(at, -1)).toEqual([
      '1 failure blocks: 1 new · 1 already red',
      expect.stringMatching(/^ {2}new \(blocks\): .*breaks {2}The cart of breaks lost its contents$/),
      expect.stringMatching(/^ {2}already red: .*red {2}The cart of red lost its contents$/),
      'compared with main 8a006ed',
      `${server.url}/runs/${id}`,
    ])
    const document = JSON.parse((await show('--json')).stdout) as { evaluation: object; verdicts: object[] }
    expect(document.evaluation).toMatchObject({ blocking_count: 1, is_current: true })
    expect(document.verdicts).toHaveLength(2)
  })

  it('says so when nothing blocks and there is nothing to compare with', async () => {
    const { build, ci } = await makeEvaluationScenario(server)
    const { id } = await build({ stays: 'passed' })
    const env = { SERVICE_URL: server.url, SERVICE_TOKEN: ci }
    const { stdout } = await runInProcess(['run', 'show', id, '--verdicts'], { cwd: '/', env })
    expect(stdout).toContain('\nnothing blocks\ncompared with no other run\n')
  })
})

import { describe, expect, it } from 'vitest'

import { useTestServer } from '@caseward/test-support/test-server'
import { createScenario } from './scenario.ts'
import { MOCHA_STATUSES } from './suite-statuses.ts'
import { startProxy, withUnreachableServer } from './test-proxy.ts'
import { useFixtureProject } from './use-fixture-project.ts'

const server = useTestServer()
const project = useFixtureProject('mocha-12', 'mocha', ['@caseward/mocha'])

describe('Mocha that is stopped or selects tests, or whose tests change the clock, end twice or do not load', () => {
  it('stores the results and keeps the exit code when a test leaves fake timers', async () => {
    const scenario = await createScenario(server)
    const startedAt = Date.now()
    const file = 'standalone/fake-timers.test.js'
    expect((await project.run('mocha', [file], scenario.env)).exitCode).toBe(1)
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'failed' })
    const tested = (await scenario.results()).get('WEB-2')?.tested_at ?? ''
    expect(Date.parse(tested)).toBeGreaterThan(startedAt - 1000)
    expect((await project.run('mocha', [file], await withUnreachableServer(scenario))).exitCode).toBe(1)
  })

  it('stores results with the real time when a test has faked Date', async () => {
    const scenario = await createScenario(server)
    const body = { status: 'passed' }
    const path = `/v1/runs/${scenario.runId}/results/WEB-31`
    await server.request('PUT', path, { token: scenario.admin.token, body })
    await project.run('mocha', ['standalone/fake-date.test.js'], scenario.env)
    // The newer result counts.
    expect(await scenario.statuses()).toEqual({ 'WEB-31': 'failed' })
  })

  it.each([[['--parallel']], [[]]])(
    'stores a test that ends twice, or fails after its end, as one failed test with %j',
    async (args) => {
      const scenario = await createScenario(server)
      const names = ['fails-late', 'ends-twice', 'passes'].map((name) => `standalone/${name}.test.js`)
      expect((await project.run('mocha', [...args, ...names], scenario.env)).exitCode).toBeGreaterThan(0)
      expect(await scenario.statuses()).toMatchObject({ 'WEB-1': 'failed', 'WEB-2': 'passed' })
      const tests = (await scenario.tests()).filter(({ name }) => name.startsWith('a test ends'))
      expect(tests.map(({ name, variant, outcome }) => `${name} ${variant}: ${outcome}`).toSorted()).toEqual([
        'a test ends > and throws later : failed',
        'a test ends > once #2: passed',
        'a test ends > once : passed',
        'a test ends > twice : failed',
        'a test ends > with a failure and then passes : failed',
      ])
    },
  )

  it('saves every test as soon as it ends, even if the process then exits', async () => {
    const { env, statuses } = await createScenario(server)
    expect((await project.run('mocha', ['standalone/ends-at-once.test.js'], env)).exitCode).not.toBe(0)
    await project.run('mocha', ['standalone/passes.test.js'], env)
    const saved = { 'WEB-1': 'passed', 'WEB-2': 'failed', 'WEB-3': 'passed' }
    expect(await statuses()).toEqual({ ...saved, 'WEB-31': 'passed' })
  })

  it('saves the results before SIGKILL or SIGINT and without a server, and sends them with the next run', async () => {
    const later = await createScenario(server)
    const proxy = await startProxy(server.url)
    await proxy.close()
    const env = { ...later.env, SERVICE_URL: proxy.url }
    const { exitCode, stderr } = await project.run('mocha', ['--exit', 'standalone/open-handle.test.js'], env)
    expect(exitCode).toBe(0)
    expect(stderr).toContain('nothing was stored')

    await proxy.reopen()
    const stop = async (first: number, signal: NodeJS.Signals) => {
      const running = project.start('mocha', ['standalone/waits.test.js'], { ...env, FIRST: String(first) })
      await running.prints('it waits')
      await expect.poll(project.spooled, { timeout: 60_000 }).toContain(`WEB-${first + 1} fails`)
      running.child.kill(signal)
      await running.ended
      expect(running.child.signalCode).toBe(signal)
    }
    await Promise.all([stop(11, 'SIGKILL'), stop(21, 'SIGINT')])
    expect(await later.statuses()).toEqual({})

    // All results are stored, so that the option changes nothing.
    const options = ['--reporter-option', 'strict=true,reporter=tap']
    const next = await project.run('mocha', [...options, 'standalone/passes.test.js'], env)
    await proxy.close()
    expect(next).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('ok 1 WEB-31 passes') })
    const [passed, failed] = ['passed', 'failed']
    const stopped = { 'WEB-11': passed, 'WEB-12': failed, 'WEB-21': passed, 'WEB-22': failed }
    expect(await later.statuses()).toEqual({ ...stopped, 'WEB-5': passed, 'WEB-31': passed })
    expect(await project.spooled()).toBe('')
  })

  it('stores all results when the process hangs on open handles', async () => {
    const later = await createScenario(server)
    const running = project.start('mocha', ['standalone/open-handle.test.js'], later.env)
    await running.prints('Caseward: stored')
    expect(await later.statuses()).toEqual({ 'WEB-5': 'passed' })
    expect(running.child.exitCode).toBeNull()
    running.child.kill('SIGKILL')
    await running.ended
  })

  it.each([[[]], [['--parallel']]])(
    'keeps the run in progress when --bail ends the suite early with %j',
    async (mode) => {
      const scenario = await createScenario(server)
      const run = { SERVICE_RUN_ID: '', SERVICE_PROJECT_ID: scenario.projectId, SERVICE_RUN_KEY: 'build 7' }
      const env = { ...scenario.env, ...run, SERVICE_EXPECTED_SHARDS: '1' }
      const bailed = await project.run('mocha', [...mode, '--bail', 'standalone/fails.test.js'], env)
      expect(bailed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('stored 1 result (1 failed)') })
      expect(bailed.stderr).not.toContain('(run completed)')
      const whole = await project.run('mocha', [...mode, 'standalone/fails.test.js'], env)
      expect(whole.stderr).toContain('(run completed)')
    },
  )

  it('fails the suite with the option strict when results were not stored, and delegates its output', async () => {
    const scenario = await createScenario(server)
    const options = ['--reporter-option', 'strict=true,reporter=./printer.js']
    const env = { ...scenario.env, SERVICE_TOKEN: 'wrong' }
    const { exitCode, stdout } = await project.run('mocha', [...options, 'standalone/passes.test.js'], env)
    // A reporter of the project prints the results.
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: expect.stringContaining('ok 1 WEB-31 passes') })
  })

  it('does not report tests that are not selected', async () => {
    const scenario = await createScenario(server)
    await project.run('mocha', ['standalone/only.test.js'], scenario.env)
    await project.run('mocha', ['suite/blocked.test.js', '--grep', 'WEB-26'], scenario.env)
    await project.run('mocha', ['suite/statuses.test.js', '--dry-run'], scenario.env)
    expect(await scenario.statuses()).toEqual({ 'WEB-2': 'passed', 'WEB-26': 'blocked' })
  })

  it('reports the suite as incomplete when a file does not load in parallel mode', async () => {
    const scenario = await createScenario(server)
    const args = ['--parallel', 'standalone/does-not-load.test.js', 'standalone/passes.test.js']
    const { exitCode, stderr } = await project.run('mocha', args, scenario.env)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('1 error outside of tests (standalone/does-not-load.test.js: Cannot find module')
    expect(await scenario.statuses()).toEqual({ 'WEB-31': 'passed' })
  })

  it('uploads nothing when a file does not load, because Mocha exits before it creates its reporter', async () => {
    const scenario = await createScenario(server)
    const { exitCode } = await project.run(
      'mocha',
      ['standalone/does-not-load.test.js', 'standalone/passes.test.js'],
      scenario.env,
    )
    expect(exitCode).toBe(1)
    expect(await scenario.statuses()).toEqual({})
  })

  it('stores in parallel mode the tests that Mocha reports', async () => {
    const scenario = await createScenario(server)
    const { stderr } = await project.run('mocha', ['--parallel', '--jobs', '2', 'suite'], scenario.env)
    expect(await scenario.statuses()).toEqual(MOCHA_STATUSES)
    expect(stderr).toContain('4 errors outside of tests')
    expect(stderr).toContain('"before all" hook for "WEB-24 needs it": no database')
  })
})

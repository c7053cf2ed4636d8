import { beforeAll, describe, expect, it } from 'vitest'

import { useTestServer } from '@caseward/test-support/test-server'
import { createScenario, getGithubJob, type Scenario } from './scenario.ts'
import { startProxy } from './test-proxy.ts'
import { useFixtureProject } from './use-fixture-project.ts'

const server = useTestServer()
const project = useFixtureProject('node-test', 'node-test', ['@caseward/node-test'])

const specReporter = ['--test', '--test-reporter=spec', '--test-reporter-destination=stdout']
const casewardReporter = ['--test-reporter=@caseward/node-test', '--test-reporter-destination=stdout']

/** Removes what differs between runs from the output of the spec reporter. */
const normalize = (text: string) => text.replaceAll(/\(?[\d.]+ms\)?|duration_ms [\d.]+|:\d+:\d+|\d+ (?=internal)/g, '')

describe('node --test that is stopped, watches, selects tests or has no server', () => {
  it('does nothing in watch mode', async () => {
    const scenario = await createScenario(server)
    const running = project.start(
      'node',
      [...casewardReporter, ...specReporter, '--watch', 'standalone/passes.js'],
      scenario.env,
    )
    await running.prints('WEB-2 passes')
    running.child.kill('SIGKILL')
    const { stderr } = await running.ended
    expect([stderr, await project.spooled()]).toEqual(['', ''])
  })

  it('saves results at the end of a forced exit, before SIGKILL or SIGINT and without a server, and sends them with the next run', async () => {
    const later = await createScenario(server)
    const proxy = await startProxy(server.url)
    await proxy.close()
    const env = { ...later.env, SERVICE_URL: proxy.url }
    const run = (...args: string[]) => project.run('node', [...casewardReporter, '--test', ...args], env)

    // Node 20 ends the process before its reporters have read to the end.
    const forced = await run('--test-force-exit', 'standalone/open-handle.js')
    expect(forced.exitCode).toBe(0)
    expect(await project.spooled()).toContain('WEB-4 passes')

    const unreachable = await run('standalone/passes.js')
    expect(unreachable).toMatchObject({ exitCode: 0, stdout: '' })
    expect(unreachable.stderr).toContain('nothing was stored')

    await proxy.reopen()
    // A file that hangs never ends for Node, which waits for it: it is killed in the end, as here.
    const stop = async (first: number, signal: NodeJS.Signals) => {
      const suiteOfTwo = ['--test', '--test-concurrency=1', 'standalone/next.js', 'standalone/waits.js']
      const args = [...casewardReporter, ...specReporter, ...suiteOfTwo]
      const running = project.start('node', args, { ...env, FIRST: String(first) })
      await running.prints('it is done')
      await expect.poll(project.spooled, { timeout: 60_000 }).toContain(`WEB-${first} passes`)
      running.child.kill(signal)
      await running.ended
    }
    await Promise.all([stop(11, 'SIGKILL'), stop(21, 'SIGINT')])
    expect(await project.spooled()).toContain('WEB-9 passes')
    expect(await later.statuses()).toEqual({})

    // All results are stored, so that the option changes nothing.
    const args = [...casewardReporter, '--test', 'tests/web-32.test.js']
    expect(await project.run('node', args, { ...env, SERVICE_STRICT: '1' })).toMatchObject({ exitCode: 0, stdout: '' })
    await proxy.close()
    const ids = ['WEB-1', 'WEB-2', 'WEB-4', 'WEB-9', 'WEB-11', 'WEB-21', 'WEB-32']
    expect(await later.statuses()).toEqual(Object.fromEntries(ids.map((id) => [id, 'passed'])))
    expect(await project.spooled()).toBe('')
  })

  it('fails the suite with the option strict when results were not stored', async () => {
    const scenario = await createScenario(server)
    const strict = { ...scenario.env, SERVICE_TOKEN: 'cwc_wrong', SERVICE_STRICT: '1' }
    expect((await project.run('node', [...casewardReporter, '--test', 'standalone/passes.js'], strict)).exitCode).toBe(
      1,
    )
  })

  it('does not change standard output and exit code', async () => {
    const { env } = await createScenario(server)
    const files = ['statuses', 'does-not-load', 'exits'].map((name) => `tests/${name}.test.js`)
    const withoutReporter = await project.run('node', [...specReporter, ...files])
    const both = await project.run('node', [...specReporter, ...casewardReporter, ...files], env)
    expect(normalize(both.stdout)).toBe(normalize(withoutReporter.stdout))
    expect(both.exitCode).toBe(withoutReporter.exitCode)
  })

  it('reports the suite as incomplete when no file loads', async () => {
    const scenario = await createScenario(server)
    const { exitCode, stderr } = await project.run(
      'node',
      [...casewardReporter, '--test', 'tests/does-not-load.test.js'],
      scenario.env,
    )
    expect(exitCode).toBe(1)
    expect(stderr).toContain('the suite is incomplete')
    expect(await scenario.statuses()).toEqual({})
  })

  it('does not report tests that are not selected', async () => {
    const scenario = await createScenario(server)
    await project.run(
      'node',
      [...casewardReporter, '--test', '--test-name-pattern=WEB-1', 'standalone/passes.js'],
      scenario.env,
    )
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed' })
  })

  it('reports the shards of a build to one run and completes it', async () => {
    const { env, projectId, buildRuns } = await createScenario(server)
    const target = { SERVICE_RUN_ID: '', SERVICE_PROJECT_ID: projectId, SERVICE_RUN_KEY: 'build 7' }
    const suiteOfTwo = ['--test', 'standalone/passes.js', 'standalone/next.js']
    const runShard = (shard: string) =>
      project.run('node', [...casewardReporter, `--test-shard=${shard}`, ...suiteOfTwo], { ...env, ...target })
    await Promise.all(['1/2', '2/2'].map(runShard))
    expect(await buildRuns()).toMatchObject([{ status: 'completed', stats: { passed: 3 } }])
  })

  describe.each([
    { condition: 'passes', env: {}, outcome: 'passed', isFlaky: true, countOfReport: 0 },
    { condition: 'is missing', env: { WITHOUT_PARENT: '1' }, outcome: 'failed', isFlaky: false, countOfReport: 1 },
  ])(
    'a test that failed by itself, and $condition when its job runs again',
    ({ env, outcome, isFlaky, countOfReport }) => {
      let fromReporter: Scenario
      let fromReport: Scenario
      beforeAll(async () => {
        ;[fromReporter, fromReport] = await Promise.all([createScenario(server, 2), createScenario(server, 2)])
      })

      /** Runs a job with both reporters. */
      async function runJob(attempt: number, extra: object): Promise<void> {
        const junit = ['--test-reporter=junit', '--test-reporter-destination=stdout']
        const args = ['--test', ...casewardReporter, ...junit, 'standalone/parent.js']
        const { stdout } = await project.run('node', args, { ...fromReporter.env, ...getGithubJob(attempt), ...extra })
        const { runId, token } = fromReport
        const query = `run_id=${runId}&job=unit&instance=runner+${attempt}&label=Linux&build_attempt=${attempt}`
        const headers = { 'content-type': 'application/xml' }
        await server.request('POST', `/v1/results?${query}`, { token, body: stdout, headers })
      }

      it(`is stored as ${isFlaky ? 'flaky' : 'failed'}, of which a JUnit report has only the counts`, async () => {
        await runJob(1, {})
        expect(await fromReporter.statuses()).toEqual({ 'WEB-1': 'failed', 'WEB-2': 'passed' })
        expect(await fromReport.suiteErrors()).toEqual([
          expect.stringContaining('Node counted 1 failed test and its report names 0'),
        ])
        await runJob(2, env)
        expect(await fromReporter.statuses()).toEqual({ 'WEB-1': outcome, 'WEB-2': 'passed' })
        const parent = (await fromReporter.tests()).find(({ name }) => name === 'WEB-1 parent')
        expect(parent).toMatchObject({ outcome, is_flaky: isFlaky })
        expect(await fromReport.suiteErrors()).toHaveLength(countOfReport)
      })
    },
  )
})

import { fileURLToPath } from 'node:url'

import { describe, expect, it } from 'vitest'

import { useTestServer } from '@caseward/test-support/test-server'
import { createScenario } from './scenario.ts'
import { withUnreachableServer } from './test-proxy.ts'
import { useFixtureProject } from './use-fixture-project.ts'

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

const server = useTestServer()
const project = useFixtureProject('vitest-4', 'vitest', ['@caseward/vitest'])

const standalone = { TESTS: 'standalone' }

/** Removes what differs between runs from Vitest's output. */
const normalize = (text: string) =>
  text
    .split('\n')
    .filter((line) => !/Start at|Duration|\/node_modules\//.test(line))
    .map((line) => line.replaceAll(/ [\d.]+m?s/g, ''))
    .toSorted()
    .join('\n')

describe('Vitest that is stopped, selects tests, finds nothing or has no server', () => {
  it('stores nothing when no test file is found', async () => {
    const scenario = await createScenario(server)
    const { exitCode, stderr } = await project.run('vitest', ['run', 'no-such-file'], scenario.env)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('nothing was stored because no test ran')
  })

  it('does not change standard output and exit code when the server is unreachable', async () => {
    const unreachable = await withUnreachableServer(await createScenario(server))
    const files = ['statuses', 'does-not-load']
    const [withoutReporter, both] = await Promise.all([
      project.run('vitest', ['run', '--reporter=default', '--no-file-parallelism', ...files], { NO_COLOR: '1' }),
      project.run('vitest', ['run', '--no-file-parallelism', ...files], { ...unreachable, NO_COLOR: '1' }),
    ])
    expect(normalize(both.stdout)).toBe(normalize(withoutReporter.stdout))
    expect(both.exitCode).toBe(withoutReporter.exitCode)
    expect(both.stderr).toContain('Caseward: nothing was stored: ')
    expect(await project.spooled()).toContain('WEB-1')
  })

  it('keeps the run in progress when the global setup of a shard fails', async () => {
    const scenario = await createScenario(server)
    const { SERVICE_URL, SERVICE_TOKEN } = scenario.env
    const target = { SERVICE_PROJECT_ID: scenario.projectId, SERVICE_RUN_KEY: 'build 7' }
    const env = { ...standalone, SERVICE_URL, SERVICE_TOKEN, ...target, GLOBAL_SETUP: './setup-fails.ts' }
    expect(await project.run('vitest', ['run', 'standalone/passes', '--shard=1/1'], env)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(
        'the suite is incomplete: 1 error outside of tests (vitest: None of the test files ran',
      ),
    })
    expect(await scenario.buildRuns()).toMatchObject([{ status: 'in_progress', shards_done: [] }])
  })

  it('does not report tests that --bail skipped', async () => {
    const scenario = await createScenario(server)
    await project.run('vitest', ['run', 'standalone/fails', '--bail=1'], { ...scenario.env, ...standalone })
    expect(await scenario.statuses()).toEqual({ 'WEB-6': 'failed' })
  })

  it('does nothing in watch mode', async () => {
    const scenario = await createScenario(server)
    const running = project.start('vitest', ['watch', 'standalone/passes'], { ...scenario.env, ...standalone })
    await running.prints('Waiting for file changes')
    running.child.kill('SIGKILL')
    const { stderr } = await running.ended
    expect(stderr).not.toContain('Caseward')
    expect(await scenario.statuses()).toEqual({})
  })

  it('saves the results before SIGKILL or SIGINT and sends them with the next run', async () => {
    const scenario = await createScenario(server)
    const env = { ...scenario.env, ...standalone }
    const stop = async (first: number, signal: NodeJS.Signals) => {
      const suite = ['node_modules/vitest/vitest.mjs', 'run', 'standalone/waits']
      const running = project.start('node', suite, { ...env, FIRST: String(first) })
      await expect.poll(project.spooled, { timeout: 60_000 }).toContain(`WEB-${first} passes`)
      running.child.kill(signal)
      await running.ended
    }
    await Promise.all([stop(11, 'SIGKILL'), stop(21, 'SIGINT')])
    expect(await scenario.statuses()).toEqual({})
    const next = await project.run('vitest', ['run', 'standalone/next'], { ...env, STRICT: 'yes' })
    // All results were stored, so that the option changes nothing.
    expect(next).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/^Caseward: stored [^\n]*\n/) })
    // Vitest notifies its reporters of Ctrl-C, but not of a kill.
    const stored = { 'WEB-9': 'passed', 'WEB-11': 'passed', 'WEB-21': 'passed', 'WEB-22': 'retest' }
    expect(await scenario.statuses()).toEqual(stored)
    expect(await project.spooled()).toBe('')
  })

  it('stores the results when the process hangs after its tests', async () => {
    const scenario = await createScenario(server)
    const env = { ...scenario.env, ...standalone, GLOBAL_SETUP: './hangs.ts' }
    const running = project.start('node', ['node_modules/vitest/vitest.mjs', 'run', 'standalone/passes'], env)
    await running.prints('it hangs')
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'passed' })
    running.child.kill('SIGKILL')
    await running.ended
  })

  it('fails the suite with the option strict when results were not stored', async () => {
    const scenario = await createScenario(server)
    const strict = { ...scenario.env, ...standalone, STRICT: 'yes' }
    const refused = await project.run('vitest', ['run', 'standalone/passes'], { ...strict, SERVICE_TOKEN: 'cwc_wrong' })
    expect(refused.exitCode).toBe(1)
  })

  it('reports the suite as incomplete when no file loads', async () => {
    const scenario = await createScenario(server)
    const { exitCode, stderr } = await project.run('vitest', ['run', 'does-not-load'], scenario.env)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('the suite is incomplete: 1 error outside of tests (tests/does-not-load.test.ts: ')
    expect(await scenario.statuses()).toEqual({})
  })

  it('does not report tests that are not selected by name, line and tag', async () => {
    const scenario = await createScenario(server)
    const lines = [4, 6, 7].map((line) => `selected/selected.test.ts:${line}`)
    const filters = ['--includeTaskLocation', '--testNamePattern=^WEB', '--tags-filter=slow']
    await project.run('vitest', ['run', ...lines, ...filters], { ...scenario.env, TESTS: 'selected' })
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed' })
  })

  it('reports the shards of a build to one run and completes it', async () => {
    const scenario = await createScenario(server)
    const { SERVICE_URL, SERVICE_TOKEN } = scenario.env
    const env = {
      ...standalone,
      SERVICE_URL,
      SERVICE_TOKEN,
      SERVICE_PROJECT_ID: scenario.projectId,
      SERVICE_RUN_KEY: 'build 7',
    }
    const files = ['standalone/passes', 'standalone/next']
    const shards = ['1/2', '2/2']
    await Promise.all(shards.map((shard) => project.run('vitest', ['run', ...files, `--shard=${shard}`], env)))
    expect(await scenario.buildRuns()).toMatchObject([{ name: 'build 7', status: 'completed', stats: { passed: 3 } }])
  })
})

describe('the types of @caseward/vitest', () => {
  it('are compatible with Vitest and have no dependencies', async () => {
    const compile = (...args: string[]) =>
      project.run(process.execPath, [tsc, '--noEmit', '--strict', '--module', 'nodenext', '--types', '', ...args])
    const compiled = await Promise.all([
      compile('--skipLibCheck', 'framework-types.types.ts'),
      compile('reporter-options.types.ts'),
    ])
    expect(compiled.map(({ stdout }) => stdout)).toEqual(['', ''])
  })
})

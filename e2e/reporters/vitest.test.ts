import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Run } from '@caseward/contract/run-schemas'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { useTestServer } from '@caseward/test-support/test-server'
import { type FreshProject, createFixtureProject } from './fresh-project.ts'
import { createScenario, type Scenario } from './scenario.ts'
import { VITEST_ERRORS, VITEST_STATUSES } from './suite-statuses.ts'
import { withUnreachableServer } from './test-proxy.ts'

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

const server = useTestServer()
let project: FreshProject
beforeAll(async () => {
  project = await createFixtureProject('vitest-4', 'vitest', ['@caseward/vitest'])
})
afterEach(() => rm(join(project.folder, '.caseward'), { recursive: true, force: true }))
afterAll(() => project.remove())

const standalone = { TESTS: 'standalone' }

/** Returns the runs that were created for builds. */
async function listRuns({ projectId, runId, admin }: Scenario): Promise<Run[]> {
  const { token } = admin
  const { body } = await server.request<{ data: Run[] }>('GET', `/v1/projects/${projectId}/runs`, { token })
  return body.data.filter(({ id }) => id !== runId)
}

/** Removes what differs between runs from Vitest's output. */
const normalize = (text: string) =>
  text
    .split('\n')
    .filter((line) => !/Start at|Duration|\/node_modules\//.test(line))
    .map((line) => line.replaceAll(/ [\d.]+m?s/g, ''))
    .toSorted()
    .join('\n')

describe('Vitest', () => {
  it('stores the status and the errors of each attempt', async () => {
    const scenario = await createScenario(server)
    const env = { ...scenario.env, TESTS: 'tests,since-3,since-4,files' }
    const { exitCode, stderr } = await project.run('vitest', ['run', '--pool=forks'], env)
    expect(exitCode).toBe(1)
    expect(await scenario.statuses()).toEqual({
      ...VITEST_STATUSES,
      'WEB-36': 'passed',
      'WEB-37': 'passed',
      'WEB-38': 'passed',
    })
    expect(await scenario.evidence('WEB-38 has files')).toEqual({
      files: expect.arrayContaining(['1 the cart.txt complete', '1 receipt.txt complete']),
      steps: [['pays', 'pays'], []],
    })
    expect(stderr).toMatch(VITEST_ERRORS)
    const results = await scenario.results()
    const note = (id: string) => results.get(id)?.note
    expect(note('WEB-2')).toMatch(
      /^AssertionError: expected 'a cart' to be 'an order'.*\nExpected: "an order"\nReceived: "a cart"\n.*statuses\.test\.ts:5:/,
    )
    expect(note('WEB-4')).toBe('Skipped: To do')
    expect(note('WEB-5')).toBe('Skipped: no printer')
    expect(note('WEB-6')).toMatch(/^Test timed out in 50ms/)
    expect(note('WEB-13')).toMatch(/no answer\n[^]*the line is cut/)
    expect(note('WEB-14')).toMatch(/^a string/)
    expect(note('WEB-22')).toMatch(
      /^Flaky: passed after 2 of 3 attempts failed\.[^]*Attempt 1: AssertionError: which try: expected 1 [^]*Attempt 2: AssertionError: which try: expected 2 /,
    )
    expect(note('WEB-23')).toMatch(/^Failed in 2 attempts\.[^]*Attempt 1: try 1\n[^]*Attempt 2: try 2\n/)
    expect(note('WEB-25')).toMatch(/^Ran 3 times\.\n\nAssertionError: expected 2 not to be 2/)
    expect(note('WEB-26')).toMatch(/^no database\n/)
    expect(note('WEB-32')).toMatch(/^no server\n/)
    expect(stderr).toMatch(/\d+ tests? match(?:es)? no test case(?:, and \d+ of them failed)?: http/)
    expect(stderr).toContain('1 test case is not in the run')
    expect(stderr).toContain('WEB-999')
    expect(stderr).not.toContain('ABC-1')
  })

  it('reports the suite as incomplete when no file loads', async () => {
    const scenario = await createScenario(server)
    const { exitCode, stderr } = await project.run('vitest', ['run', 'does-not-load'], scenario.env)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('the suite is incomplete: 1 error outside of tests (tests/does-not-load.test.ts: ')
    expect(await scenario.statuses()).toEqual({})
  })

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
    expect(await listRuns(scenario)).toMatchObject([{ status: 'in_progress', shards_done: [] }])
  })

  it('does not report tests that are not selected by name, line and tag', async () => {
    const scenario = await createScenario(server)
    const lines = [4, 6, 7].map((line) => `selected/selected.test.ts:${line}`)
    const filters = ['--includeTaskLocation', '--testNamePattern=^WEB', '--tags-filter=slow']
    await project.run('vitest', ['run', ...lines, ...filters], { ...scenario.env, TESTS: 'selected' })
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed' })
  })

  it('does not report tests that --bail skipped', async () => {
    const scenario = await createScenario(server)
    await project.run('vitest', ['run', 'standalone/fails', '--bail=1'], { ...scenario.env, ...standalone })
    expect(await scenario.statuses()).toEqual({ 'WEB-6': 'failed' })
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
    expect(await listRuns(scenario)).toMatchObject([{ name: 'build 7', status: 'completed', stats: { passed: 3 } }])
  })

  it('has types that are compatible with Vitest and have no dependencies', async () => {
    const compile = (...args: string[]) =>
      project.run(process.execPath, [tsc, '--noEmit', '--strict', '--module', 'nodenext', '--types', '', ...args])
    const compiled = await Promise.all([
      compile('--skipLibCheck', 'framework-types.types.ts'),
      compile('reporter-options.types.ts'),
    ])
    expect(compiled.map(({ stdout }) => stdout)).toEqual(['', ''])
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
})

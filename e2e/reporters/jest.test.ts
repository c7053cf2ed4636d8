import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { useTestServer } from '@caseward/test-support/test-server'
import { type CommandResult, type FreshProject, createFixtureProject } from './fresh-project.ts'
import { createScenario, type Scenario } from './scenario.ts'
import { JEST_STATUSES } from './suite-statuses.ts'
import { withUnreachableServer } from './test-proxy.ts'

const server = useTestServer()
let project: FreshProject
beforeAll(async () => {
  project = await createFixtureProject('jest-30', 'jest', ['@caseward/jest'])
})
afterEach(() => rm(join(project.folder, '.caseward'), { recursive: true, force: true }))
afterAll(() => project.remove())

/** Removes the lines of Caseward from Jest's output, and what differs between runs, such as the order of files. */
const normalize = (text: string) =>
  text
    .split('\n')
    .filter((line) => !/^Caseward: |^Time:/.test(line))
    .map((line) => line.replaceAll(/ \([\d.]+ m?s\)/g, ''))
    .toSorted()

describe('Jest', () => {
  it('stores the status and the errors of each test', async () => {
    const scenario = await createScenario(server)
    const { exitCode, stderr } = await project.run('jest', ['-w', '2', 'suite/'], scenario.env)
    expect(exitCode).toBe(1)
    expect(await scenario.statuses()).toEqual(JEST_STATUSES)
    const results = await scenario.results()
    const note = (id: string) => results.get(id)?.note
    expect(note('WEB-1')).toBeNull()
    expect(note('WEB-2')).toMatch(/expect\(received\).toBe\(expected\)[^]*Expected: "pears"\n[^]*statuses\.test\.js:2:/)
    expect(note('WEB-4')).toBe('Skipped: To do')
    expect(note('WEB-7')).toContain('Exceeded timeout of 50 ms for a test')
    expect(note('WEB-14')).toMatch(/thrown: "a string"/)
    expect(note('WEB-18')).toMatch(/^Flaky: passed after 1 of 2 attempts failed\.\n\nAttempt 1: .*expect/)
    expect(note('WEB-19')).toMatch(/^Failed in 3 attempts\.\n\nAttempt 1:[^]*Attempt 2:[^]*Attempt 3:/)
    expect(note('WEB-22')).toContain('no database\n')
    expect(await scenario.evidence('WEB-2 fails')).toEqual({
      files: ['1 basket.txt complete'],
      steps: [['compares']],
    })
    expect(stderr).toContain('stored 25 results (10 passed, 12 failed, 3 not tested)')
    expect(stderr).toMatch(/\d+ tests? match(?:es)? no test case(?:, and \d+ of them failed)?: http/)
    expect(stderr).toContain('WEB-999')
    expect(stderr).toContain('2 errors outside of tests')
    expect(stderr).toContain("suite/does-not-load.test.js: Cannot find module './is-not-there'")
    expect(stderr).toContain('suite/hooks.test.js: not closed')
  })

  it('does not change the output and exit code of Jest when the server is unreachable', async () => {
    const unreachable = await withUnreachableServer(await createScenario(server))
    const withoutReporter = await project.run('jest', ['-i', 'suite/', '--reporters=default'])
    const both = await project.run('jest', ['-i', 'suite/'], unreachable)
    expect(both.exitCode).toBe(withoutReporter.exitCode)
    expect(both.stdout).toBe(withoutReporter.stdout)
    expect(normalize(both.stderr)).toEqual(normalize(withoutReporter.stderr))
    expect(both.stderr).toContain('Caseward: nothing was stored: ')
    expect(await project.spooled()).toContain('WEB-1')
  })

  it.each([
    ['-i', '--no-experimental-require-module'],
    ['-w 2 --workerIdleMemoryLimit=1GB', ''],
  ])('treats a test in two projects as two tests with %s and NODE_OPTIONS="%s"', async (options, NODE_OPTIONS) => {
    const scenario = await createScenario(server)
    await project.run('jest', ['-c', 'projects.config.js', ...options.split(' ')], { ...scenario.env, NODE_OPTIONS })
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'failed' })
  })

  it('does not report tests that are not selected', async () => {
    const scenario = await createScenario(server)
    await project.run('jest', ['standalone/only'], scenario.env)
    expect(await scenario.statuses()).toEqual({ 'WEB-33': 'passed' })
    await project.run('jest', ['standalone/waits', '-t', 'WEB-1'], { ...scenario.env, FIRST: '1' })
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-33': 'passed' })
  })

  describe('whose worker is killed while another reports an error late', () => {
    let scenario: Scenario
    let result: CommandResult
    beforeAll(async () => {
      scenario = await createScenario(server)
      const files = ['fails-late', 'kills-its-worker', 'passes'].map((name) => `standalone/${name}`)
      result = await project.run('jest', ['-w', '2', '--workerIdleMemoryLimit=1GB', ...files], scenario.env)
    })

    it('stores a failure whose error occurred after the end of the test', async () => {
      expect(result.exitCode).toBe(1)
      const tests = (await scenario.tests()).filter(({ name }) => /^WEB-1[12] /.test(name))
      expect(Object.fromEntries(tests.map(({ name, outcome }) => [name, outcome]))).toEqual({
        'WEB-11 passes, and fails when it is over': 'failed',
        'WEB-12 takes its time': 'passed',
      })
      expect(tests).toHaveLength(2)
    })

    it('stores the test that a killed worker was running as failed, and reports its file as an error', async () => {
      const statuses = { 'WEB-1': 'passed', 'WEB-2': 'failed', 'WEB-31': 'passed' }
      expect(await scenario.statuses()).toEqual({ ...statuses, 'WEB-11': 'failed', 'WEB-12': 'passed' })
      expect((await scenario.results()).get('WEB-2')?.note).toMatch(/^A jest worker process .* was terminated/)
      expect(result.stderr).toContain(
        '1 error outside of tests (standalone/kills-its-worker.test.js: A jest worker process',
      )
    })
  })

  it('reports the suite as incomplete when no file loads', async () => {
    const scenario = await createScenario(server)
    const { exitCode, stderr } = await project.run('jest', ['standalone/does-not-load'], scenario.env)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('stored nothing')
    expect(stderr).toContain(
      'the suite is incomplete: 1 error outside of tests (standalone/does-not-load.test.js: Cannot',
    )
    expect(await scenario.statuses()).toEqual({})
  })

  it('saves the results before SIGKILL or SIGINT and sends them with the next run', async () => {
    const scenario = await createScenario(server)
    const stop = async (first: number, signal: NodeJS.Signals) => {
      const running = project.start('jest', ['-i', 'standalone/waits'], { ...scenario.env, FIRST: String(first) })
      await running.prints('it waits')
      running.child.kill(signal)
      await running.ended
      expect(running.child.signalCode).toBe(signal)
      expect(await project.spooled()).toContain(`WEB-${first + 1} fails`)
    }
    await Promise.all([stop(11, 'SIGKILL'), stop(21, 'SIGINT')])
    expect(await scenario.statuses()).toEqual({})
    // All results are stored, so that the option changes nothing.
    const next = await project.run('jest', ['-c', 'strict.config.js', 'standalone/passes'], scenario.env)
    expect(next.exitCode).toBe(0)
    const [passed, failed] = ['passed', 'failed']
    const stopped = { 'WEB-11': passed, 'WEB-12': failed, 'WEB-21': passed, 'WEB-22': failed }
    expect(await scenario.statuses()).toEqual({ ...stopped, 'WEB-31': passed })
    expect(await project.spooled()).toBe('')
  })

  it('stores all results when the process hangs on open handles', async () => {
    const scenario = await createScenario(server)
    const running = project.start('jest', ['standalone/open-handle'], scenario.env)
    await running.prints('Jest did not exit')
    const stored = await scenario.statuses()
    running.child.kill('SIGKILL')
    await running.ended
    expect(stored).toEqual({ 'WEB-1': 'passed' })
  })

  it('keeps the run in progress when --bail ends the suite early', async () => {
    const scenario = await createScenario(server)
    const env = {
      ...scenario.env,
      SERVICE_RUN_ID: '',
      SERVICE_PROJECT_ID: scenario.projectId,
      SERVICE_RUN_KEY: 'build 7',
    }
    const bailed = await project.run(
      'jest',
      ['-i', '--bail', '--shard=1/1', 'standalone/fails.test', 'standalone/passes'],
      env,
    )
    expect(bailed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('stored 1 result (1 failed)') })
    expect(bailed.stderr).not.toContain('(run completed)')
    const whole = await project.run('jest', ['-i', '--shard=1/1', 'standalone/fails.test', 'standalone/passes'], env)
    expect(whole.stderr).toContain('(run completed)')
  })

  it('fails the suite with the option strict when results were not stored', async () => {
    const scenario = await createScenario(server)
    const strict = ['-c', 'strict.config.js', 'standalone/passes']
    expect((await project.run('jest', strict, { ...scenario.env, SERVICE_TOKEN: 'wrong' })).exitCode).toBe(1)
  })

  it('does nothing in watch mode', async () => {
    const scenario = await createScenario(server)
    const running = project.start('jest', ['--watchAll', 'standalone/passes'], scenario.env)
    await running.prints('Ran all test suites')
    running.child.kill('SIGKILL')
    const { stderr } = await running.ended
    expect(stderr).not.toContain('Caseward')
    expect(await scenario.statuses()).toEqual({})
  })
})

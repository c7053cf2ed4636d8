import { describe, expect, it } from 'vitest'

import { useSharedServer } from '@caseward/test-support/test-server'
import { createScenario } from './scenario.ts'
import { withUnreachableServer } from './test-proxy.ts'
import { useFixtureProject } from './use-fixture-project.ts'

const server = useSharedServer()
const project = useFixtureProject('jest-30', 'jest', ['@caseward/jest'])

/** Removes the lines of Caseward from Jest's output, and what differs between runs, such as the order of files. */
const normalize = (text: string) =>
  text
    .split('\n')
    .filter((line) => !/^Caseward: |^Time:/.test(line))
    .map((line) => line.replaceAll(/ \([\d.]+ m?s\)/g, ''))
    .toSorted()

describe('Jest that is stopped, watches, selects tests or has no server', () => {
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
})

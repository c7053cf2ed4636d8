import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { type FreshProject, createFixtureProject } from './fresh-project.ts'
import { createScenario } from './scenario.ts'
import { withUnreachableServer } from './test-proxy.ts'

let server: TestServer
let jest29: FreshProject
let project: FreshProject
beforeAll(async () => {
  const started = await Promise.all([
    startTestServer(),
    createFixtureProject('jest-29', 'jest', ['@caseward/jest'], { unpack: true }),
    createFixtureProject('jest-30', 'jest', ['@caseward/jest']),
  ])
  server = started[0]
  jest29 = started[1]
  project = started[2]
})
afterEach(() => rm(join(project.folder, '.caseward'), { recursive: true, force: true }))
afterAll(async () => {
  await Promise.all([jest29.remove(), project.remove()])
  await server.close()
})

const expected = {
  'WEB-1': 'passed',
  'WEB-2': 'failed',
  'WEB-3': 'not_tested',
  'WEB-4': 'not_tested',
  'WEB-5': 'passed',
  'WEB-6': 'failed',
  'WEB-7': 'failed',
  'WEB-8': 'failed',
  'WEB-9': 'failed',
  'WEB-10': 'passed',
  'WEB-11': 'passed',
  'WEB-12': 'passed',
  'WEB-13': 'not_tested',
  'WEB-14': 'failed',
  'WEB-15': 'passed',
  'WEB-16': 'failed',
  'WEB-17': 'passed',
  'WEB-18': 'passed',
  'WEB-19': 'failed',
  'WEB-20': 'passed',
  'WEB-21': 'failed',
  // Jest itself says of tests that a hook fails that they failed.
  'WEB-22': 'failed',
  'WEB-23': 'failed',
  'WEB-24': 'failed',
  'WEB-25': 'passed',
}

/** The lines of Jest's output without ours, and without what differs from run to run, such as the order of files. */
const steady = (text: string) =>
  text
    .split('\n')
    .filter((line) => !/^Caseward: |^Time:/.test(line))
    .map((line) => line.replaceAll(/ \([\d.]+ m?s\)/g, ''))
    .toSorted()

describe('Jest 29', () => {
  it('tells the status of each test, where Node cannot require ES modules', async () => {
    const scene = await createScenario(server)
    const env = { ...scene.env, NODE_OPTIONS: '--no-experimental-require-module' }
    expect((await jest29.run('jest', ['-w', '2', 'suite/'], env)).exitCode).toBe(1)
    expect(await scene.statuses()).toEqual(expected)
  })
})

describe('Jest 30', () => {
  it('tells the status of each test, and why it failed', async () => {
    const scene = await createScenario(server)
    const { exitCode, stderr } = await project.run('jest', ['-w', '2', 'suite/'], scene.env)
    expect(exitCode).toBe(1)
    expect(await scene.statuses()).toEqual(expected)
    const results = await scene.results()
    const note = (id: string) => results.get(id)?.note
    expect(note('WEB-1')).toBeNull()
    expect(note('WEB-2')).toMatch(/expect\(received\).toBe\(expected\)[^]*Expected: "pears"\n[^]*statuses\.test\.js:2:/)
    expect(note('WEB-4')).toBe('To do')
    expect(note('WEB-7')).toContain('Exceeded timeout of 50 ms for a test')
    expect(note('WEB-14')).toMatch(/thrown: "a string"/)
    expect(note('WEB-18')).toMatch(/^Flaky: passed after 1 of 2 attempts failed\.\n\nAttempt 1: .*expect/)
    expect(note('WEB-19')).toMatch(/^Failed in 3 attempts\.\n\nAttempt 1:[^]*Attempt 2:[^]*Attempt 3:/)
    expect(note('WEB-22')).toContain('no database\n')
    expect(stderr).toContain('stored 25 results (10 passed, 12 failed, 3 not tested)')
    expect(stderr).toContain('1 test names no test case (“names nothing”)')
    expect(stderr).toContain('WEB-999')
    expect(stderr).toContain('2 errors outside of tests')
    expect(stderr).toContain("suite/does-not-load.test.js: Cannot find module './is-not-there'")
    expect(stderr).toContain('suite/hooks.test.js: not closed')
  })

  it('prints what it prints without the reporter, but for our lines, and ends with the same exit code', async () => {
    // Also when its server is out of reach.
    const unreachable = await withUnreachableServer(await createScenario(server))
    const alone = await project.run('jest', ['-i', 'suite/', '--reporters=default'])
    const both = await project.run('jest', ['-i', 'suite/'], unreachable)
    expect(both.exitCode).toBe(alone.exitCode)
    expect(both.stdout).toBe(alone.stdout)
    expect(steady(both.stderr)).toEqual(steady(alone.stderr))
    expect(both.stderr).toContain('Caseward: nothing was stored: ')
    expect(await project.spooled()).toContain('WEB-1')
  })

  it.each([[['-i']], [['-w', '2', '--workerIdleMemoryLimit=1GB']]])(
    'takes the same test in two projects for two, with %j',
    async (args) => {
      const scene = await createScenario(server)
      await project.run('jest', ['-c', 'projects.config.js', ...args], scene.env)
      expect(await scene.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'failed' })
    },
  )

  it('leaves out the tests that nobody asked to run', async () => {
    const scene = await createScenario(server)
    await project.run('jest', ['alone/only'], scene.env)
    expect(await scene.statuses()).toEqual({ 'WEB-2': 'passed' })
    await project.run('jest', ['alone/waits', '-t', 'WEB-1'], scene.env)
    expect(await scene.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'passed' })
  })

  it('says that a test failed whose error came after its end', async () => {
    const scene = await createScenario(server)
    expect((await project.run('jest', ['alone/fails-late'], scene.env)).exitCode).toBe(1)
    expect(await scene.statuses()).toEqual({ 'WEB-1': 'failed', 'WEB-2': 'passed' })
  })

  it('stores what ran before a worker was killed, and says that the file did not end well', async () => {
    const scene = await createScenario(server)
    const args = ['-w', '2', '--workerIdleMemoryLimit=1GB', 'alone/kills-its-worker', 'alone/passes']
    const { exitCode, stderr } = await project.run('jest', args, scene.env)
    expect(exitCode).toBe(1)
    expect(await scene.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-31': 'passed' })
    expect(stderr).toContain('1 error outside of tests (alone/kills-its-worker.test.js: A jest worker process')
  })

  it('never calls a suite green of which no file loads', async () => {
    const scene = await createScenario(server)
    const { exitCode, stderr } = await project.run('jest', ['alone/does-not-load'], scene.env)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('stored nothing')
    expect(stderr).toContain('the suite is not complete: 1 error outside of tests (alone/does-not-load.test.js: Cannot')
    expect(await scene.statuses()).toEqual({})
  })

  it.each(['SIGKILL', 'SIGINT'] as const)(
    'keeps what ran before %s, and sends it with the next run',
    async (signal) => {
      const scene = await createScenario(server)
      const running = project.start('jest', ['-i', 'alone/waits'], scene.env)
      await running.prints('it waits')
      running.child.kill(signal)
      await running.ended
      expect(running.child.signalCode).toBe(signal)
      expect(await scene.statuses()).toEqual({})
      expect(await project.spooled()).toContain('WEB-2 fails')
      await project.run('jest', ['alone/passes'], scene.env)
      expect(await scene.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'failed', 'WEB-31': 'passed' })
      expect(await project.spooled()).toBe('')
    },
  )

  it('has stored all results when it hangs on open handles', async () => {
    const scene = await createScenario(server)
    const running = project.start('jest', ['alone/open-handle'], scene.env)
    await running.prints('Jest did not exit')
    const stored = await scene.statuses()
    running.child.kill('SIGKILL')
    await running.ended
    expect(stored).toEqual({ 'WEB-1': 'passed' })
  })

  it('leaves the run of its shards open when --bail ends it early', async () => {
    const scene = await createScenario(server)
    const env = { ...scene.env, SERVICE_RUN_ID: '', SERVICE_PROJECT_ID: scene.projectId, SERVICE_RUN_KEY: 'build 7' }
    const bailed = await project.run('jest', ['-i', '--bail', '--shard=1/1', 'alone/fails.test', 'alone/passes'], env)
    expect(bailed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('stored 1 result (1 failed)') })
    expect(bailed.stderr).not.toContain('which is complete')
    const whole = await project.run('jest', ['-i', '--shard=1/1', 'alone/fails.test', 'alone/passes'], env)
    expect(whole.stderr).toContain('which is complete')
  })

  it('fails the suite when results were not stored and strictness is asked for', async () => {
    const scene = await createScenario(server)
    const strict = ['-c', 'strict.config.js', 'alone/passes']
    expect((await project.run('jest', strict, { ...scene.env, SERVICE_TOKEN: 'wrong' })).exitCode).toBe(1)
    expect((await project.run('jest', strict, scene.env)).exitCode).toBe(0)
  })

  it('keeps still in watch mode', async () => {
    const scene = await createScenario(server)
    const running = project.start('jest', ['--watchAll', 'alone/passes'], scene.env)
    await running.prints('Ran all test suites')
    running.child.kill('SIGKILL')
    const { stderr } = await running.ended
    expect(stderr).not.toContain('Caseward')
    expect(await scene.statuses()).toEqual({})
  })
})

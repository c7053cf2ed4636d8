import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { type FreshProject, createFixtureProject } from './fresh-project.ts'
import { createScenario } from './scenario.ts'
import { withUnreachableServer, startProxy } from './test-proxy.ts'

const majors = [7, 8, 9, 10, 11, 12] as const
const projects = new Map<number, FreshProject>()
let server: TestServer
let project: FreshProject
beforeAll(async () => {
  const install = async (major: number) => {
    projects.set(
      major,
      await createFixtureProject(`mocha-${major}`, 'mocha', ['@caseward/mocha'], { unpack: major < 12 }),
    )
  }
  const [started] = await Promise.all([startTestServer(), ...majors.map(install)])
  server = started
  project = requireProject(12)
})
afterEach(() => rm(join(project.folder, '.caseward'), { recursive: true, force: true }))
afterAll(async () => {
  await Promise.all([...projects.values()].map((each) => each.remove()))
  await server.close()
})

function requireProject(major: number): FreshProject {
  const found = projects.get(major)
  if (found === undefined) throw new Error(`Mocha ${major} is not installed`)
  return found
}

const told = {
  'WEB-1': 'passed',
  'WEB-2': 'failed',
  'WEB-3': 'not_tested',
  'WEB-4': 'not_tested',
  'WEB-5': 'not_tested',
  'WEB-6': 'failed',
  'WEB-7': 'failed',
  'WEB-8': 'failed',
  'WEB-9': 'passed',
  'WEB-10': 'passed',
  'WEB-11': 'passed',
  'WEB-12': 'not_tested',
  'WEB-13': 'failed',
  'WEB-14': 'failed',
  'WEB-15': 'failed',
  'WEB-16': 'passed',
  'WEB-17': 'failed',
  'WEB-18': 'passed',
  'WEB-19': 'failed',
  'WEB-20': 'blocked',
  'WEB-21': 'passed',
  'WEB-22': 'passed',
  'WEB-23': 'not_tested',
  'WEB-27': 'blocked',
  'WEB-29': 'passed',
}

/** Of these Mocha itself says nothing: they are known from the tree of suites, which it has not in parallel mode. */
const known = {
  'WEB-24': 'blocked',
  'WEB-25': 'not_tested',
  'WEB-26': 'blocked',
  'WEB-28': 'blocked',
  'WEB-30': 'blocked',
}

/** Mocha's output without what differs from run to run. */
const steady = (text: string) => text.replaceAll(/\(\d+m?s\)/g, '')

describe.each(majors.filter((major) => major < 12))('Mocha %i', (major) => {
  it('tells the status of each test, where Node cannot require ES modules', async () => {
    const scene = await createScenario(server)
    const env = { ...scene.env, NODE_OPTIONS: '--no-experimental-require-module' }
    expect((await requireProject(major).run('mocha', ['suite'], env)).exitCode).toBe(15)
    expect(await scene.statuses()).toEqual({ ...told, ...known })
  })
})

// Where Node cannot require ES modules, the first test waits for them.
describe.each([
  [11, '--no-experimental-require-module'],
  [12, ''],
])('Mocha %i with NODE_OPTIONS="%s"', (major, NODE_OPTIONS) => {
  it('has every test on disk as soon as it ends, wherever the suite goes then', async () => {
    const scene = await createScenario(server)
    const theirs = requireProject(major)
    const { exitCode } = await theirs.run('mocha', ['alone/ends-at-once.test.js'], { ...scene.env, NODE_OPTIONS })
    expect(exitCode).not.toBe(0)
    await theirs.run('mocha', ['alone/passes.test.js'], { ...scene.env, NODE_OPTIONS })
    expect(await scene.statuses()).toEqual({
      'WEB-1': 'passed',
      'WEB-2': 'failed',
      'WEB-3': 'passed',
      'WEB-31': 'passed',
    })
  })
})

describe('Mocha 12', () => {
  it('tells the status of each test, and why it failed', async () => {
    const scene = await createScenario(server)
    const { exitCode, stderr } = await project.run('mocha', ['suite'], scene.env)
    expect(exitCode).toBe(15)
    expect(await scene.statuses()).toEqual({ ...told, ...known })
    const results = await scene.results()
    const note = (id: string) => results.get(id)?.note
    expect(note('WEB-1')).toBeNull()
    expect(note('WEB-2')).toMatch(
      /Expected values to be strictly equal:[^]*'apples'[^]*'pears'[^]*statuses\.test\.js:4:/,
    )
    expect(note('WEB-6')).toContain('Timeout of 50ms exceeded')
    expect(note('WEB-13')).toContain('a string')
    expect(note('WEB-14')).toContain('+ expected - actual')
    expect(note('WEB-15')).toContain('it came late\n')
    expect(note('WEB-16')).toMatch(/^Flaky: passed after 1 of 2 attempts failed\.\n\nAttempt 1: .*Expected/)
    expect(note('WEB-17')).toMatch(/^Failed in 3 attempts\.\n\nAttempt 1:[^]*Attempt 2:[^]*Attempt 3:/)
    expect(note('WEB-26')).toContain('no database\n')
    expect(note('WEB-28')).toContain('no page\n')
    expect(note('WEB-30')).toContain('not cleaned\n')
    expect(stderr).toContain('stored 30 results')
    expect(stderr).toContain('1 test names no test case (“names nothing”)')
    expect(stderr).toContain('WEB-999')
    expect(stderr).toContain('3 errors outside of tests')
    expect(stderr).toContain('"after all" hook for "WEB-22 is followed by it": not closed')
  })

  it('tells in parallel mode what Mocha tells there', async () => {
    const scene = await createScenario(server)
    const { stderr } = await project.run('mocha', ['--parallel', '--jobs', '2', 'suite'], scene.env)
    expect(await scene.statuses()).toEqual(told)
    expect(stderr).toContain('4 errors outside of tests')
    expect(stderr).toContain('"before all" hook for "WEB-24 needs it": no database')
  })

  it('prints what the spec reporter prints, and our lines to the standard error output', async () => {
    const scene = await createScenario(server)
    const alone = await project.run('mocha', ['suite', '--reporter', 'spec'])
    const both = await project.run('mocha', ['suite'], scene.env)
    expect(both.exitCode).toBe(alone.exitCode)
    expect(steady(both.stdout)).toBe(steady(alone.stdout))
    expect(alone.stderr).toBe('')
    expect(both.stderr).toMatch(/^(?:Caseward: .*\n){3}$/)
    expect((await project.run('mocha', ['alone/passes.test.js'], scene.env)).exitCode).toBe(0)
  })

  it.each(['tap', './printer.js'])('lets the reporter %s print that is asked for', async (reporter) => {
    const scene = await createScenario(server)
    const args = ['--reporter-option', `reporter=${reporter}`, 'alone/passes.test.js']
    const { stdout } = await project.run('mocha', args, scene.env)
    expect(stdout).toContain('ok 1 WEB-31 passes')
    expect(await scene.statuses()).toEqual({ 'WEB-31': 'passed' })
  })

  it('fails as it would without a reporter when a test leaves fake timers behind, and stores what came of it', async () => {
    const scene = await createScenario(server)
    const startedAt = Date.now()
    const file = 'alone/fake-timers.test.js'
    expect((await project.run('mocha', [file], scene.env)).exitCode).toBe(1)
    expect(await scene.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'failed' })
    const tested = (await scene.results()).get('WEB-2')?.tested_at ?? ''
    expect(Date.parse(tested)).toBeGreaterThan(startedAt - 1000)
    expect((await project.run('mocha', [file])).exitCode).toBe(1)
    expect((await project.run('mocha', [file], await withUnreachableServer(scene))).exitCode).toBe(1)
  })

  it('stores a result as of now, whatever time a file has set', async () => {
    const scene = await createScenario(server)
    await project.run('mocha', ['alone/passes.test.js'], scene.env)
    await project.run('mocha', ['alone/fake-date.test.js'], scene.env)
    expect(await scene.statuses()).toEqual({ 'WEB-31': 'failed' })
  })

  it('leaves out the tests that nobody asked to run', async () => {
    const scene = await createScenario(server)
    await project.run('mocha', ['alone/only.test.js'], scene.env)
    await project.run('mocha', ['suite/blocked.test.js', '--grep', 'WEB-26'], scene.env)
    await project.run('mocha', ['suite/statuses.test.js', '--dry-run'], scene.env)
    expect(await scene.statuses()).toEqual({ 'WEB-2': 'passed', 'WEB-26': 'blocked' })
  })

  it('says that a test failed whose error came after its end', async () => {
    const scene = await createScenario(server)
    expect((await project.run('mocha', ['alone/fails-late.test.js'], scene.env)).exitCode).toBe(1)
    expect(await scene.statuses()).toEqual({ 'WEB-1': 'failed', 'WEB-2': 'passed' })
  })

  it('never calls a suite green of which a file does not load in parallel mode', async () => {
    const scene = await createScenario(server)
    const args = ['--parallel', 'alone/does-not-load.test.js', 'alone/passes.test.js']
    const { exitCode, stderr } = await project.run('mocha', args, scene.env)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('1 error outside of tests (alone/does-not-load.test.js: Cannot find module')
    expect(await scene.statuses()).toEqual({ 'WEB-31': 'passed' })
  })

  it('leaves a suite to Mocha of which a file does not load: it ends before it has a reporter', async () => {
    const scene = await createScenario(server)
    const { exitCode } = await project.run('mocha', ['alone/does-not-load.test.js', 'alone/passes.test.js'], scene.env)
    expect(exitCode).toBe(1)
    expect(await scene.statuses()).toEqual({})
  })

  it.each(['SIGKILL', 'SIGINT'] as const)(
    'keeps what ran before %s, and sends it with the next run',
    async (signal) => {
      const scene = await createScenario(server)
      const running = project.start('mocha', ['alone/waits.test.js'], scene.env)
      await running.prints('it waits')
      await expect.poll(project.spooled).toContain('WEB-2 fails')
      running.child.kill(signal)
      await running.ended
      expect(running.child.signalCode).toBe(signal)
      expect(await scene.statuses()).toEqual({})
      await project.run('mocha', ['alone/passes.test.js'], scene.env)
      expect(await scene.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'failed', 'WEB-31': 'passed' })
      expect(await project.spooled()).toBe('')
    },
  )

  it('has stored all results when it hangs on open handles', async () => {
    const scene = await createScenario(server)
    const running = project.start('mocha', ['alone/open-handle.test.js'], scene.env)
    await running.prints('Caseward: stored')
    expect(await scene.statuses()).toEqual({ 'WEB-1': 'passed' })
    expect(running.child.exitCode).toBeNull()
    running.child.kill('SIGKILL')
    await running.ended
  })

  it('keeps the results of a suite whose server is out of reach, and sends them with the next run', async () => {
    const scene = await createScenario(server)
    const way = await startProxy(server.url)
    const env = { ...scene.env, SERVICE_URL: way.url }
    await way.close()
    const { exitCode, stderr } = await project.run('mocha', ['--exit', 'alone/open-handle.test.js'], env)
    expect(exitCode).toBe(0)
    expect(stderr).toContain('nothing was stored')
    await way.reopen()
    await project.run('mocha', ['alone/passes.test.js'], env)
    await way.close()
    expect(await scene.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-31': 'passed' })
  })

  it.each([[[]], [['--parallel']]])(
    'leaves the run of its shards open when --bail ends it early, with %j',
    async (mode) => {
      const scene = await createScenario(server)
      const run = { SERVICE_RUN_ID: '', SERVICE_PROJECT_ID: scene.projectId, SERVICE_RUN_KEY: 'build 7' }
      const env = { ...scene.env, ...run, SERVICE_EXPECTED_SHARDS: '1' }
      const bailed = await project.run('mocha', [...mode, '--bail', 'alone/fails.test.js'], env)
      expect(bailed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('stored 1 result (1 failed)') })
      expect(bailed.stderr).not.toContain('which is complete')
      const whole = await project.run('mocha', [...mode, 'alone/fails.test.js'], env)
      expect(whole.stderr).toContain('which is complete')
    },
  )

  it('fails the suite when results were not stored and strictness is asked for', async () => {
    const scene = await createScenario(server)
    const strict = ['--reporter-option', 'strict=true', 'alone/passes.test.js']
    expect((await project.run('mocha', strict, { ...scene.env, SERVICE_TOKEN: 'wrong' })).exitCode).toBe(1)
    expect((await project.run('mocha', strict, scene.env)).exitCode).toBe(0)
  })
})

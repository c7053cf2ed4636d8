import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { type FreshProject, createFixtureProject } from './fresh-project.ts'
import { createScenario } from './scenario.ts'
import { startProxy } from './test-proxy.ts'

let server: TestServer
let project: FreshProject
beforeAll(async () => {
  const [started, made] = await Promise.all([
    startTestServer(),
    createFixtureProject('node-test', 'node-test', ['@caseward/node-test']),
  ])
  server = started
  project = made
})
afterEach(() => rm(join(project.folder, '.caseward'), { recursive: true, force: true }))
afterAll(async () => {
  await project.remove()
  await server.close()
})

const spec = ['--test', '--test-reporter=spec', '--test-reporter-destination=stdout']
const ours = ['--test-reporter=@caseward/node-test', '--test-reporter-destination=stdout']
const suite = [
  'tests/statuses',
  'tests/parallel',
  'tests/does-not-load',
  'tests/late-error',
  'tests/web-32',
  'tests/exits',
]
const files = suite.map((name) => `${name}.test.js`)

/** The spec reporter's output without what differs from run to run. */
const steady = (text: string) => text.replaceAll(/\(?[\d.]+ms\)?|duration_ms [\d.]+|:\d+:\d+|\d+ (?=internal)/g, '')

describe('node --test', () => {
  it('tells the status of each test', async () => {
    const scene = await createScenario(server)
    const { exitCode } = await project.run('node', [...spec, ...ours, '--test-concurrency=4', ...files], scene.env)
    expect(exitCode).toBe(1)
    expect(await scene.statuses()).toEqual({
      'WEB-1': 'passed',
      'WEB-2': 'failed',
      'WEB-3': 'not_tested',
      'WEB-4': 'not_tested',
      'WEB-5': 'not_tested',
      'WEB-6': 'not_tested',
      'WEB-7': 'failed',
      'WEB-8': 'passed',
      'WEB-9': 'passed',
      'WEB-10': 'passed',
      'WEB-11': 'passed',
      'WEB-12': 'failed',
      'WEB-13': 'passed',
      'WEB-14': 'passed',
      'WEB-15': 'failed',
      'WEB-16': 'blocked',
      'WEB-17': 'blocked',
      'WEB-18': 'failed',
      'WEB-19': 'failed',
      'WEB-20': 'passed',
      'WEB-21': 'failed',
      'WEB-22': 'passed',
      'WEB-23': 'failed',
      'WEB-24': 'passed',
      'WEB-25': 'failed',
      'WEB-26': 'failed',
      'WEB-27': 'passed',
      'WEB-28': 'passed',
      'WEB-29': 'passed',
      'WEB-31': 'passed',
      'WEB-32': 'passed',
      'WEB-33': 'passed',
    })
  })

  it('says what went wrong in a test, in the hook that blocked it, and which test case ids it does not know', async () => {
    const scene = await createScenario(server)
    const { stderr } = await project.run('node', [...ours, '--test', 'tests/statuses.test.js'], scene.env)
    const results = await scene.results()
    const note = (id: string) => results.get(id)?.note
    expect(note('WEB-2')).toMatch(/Expected values to be strictly equal:\n\n1 !== 2\n[^]*statuses\.test\.js/)
    expect(note('WEB-5')).toMatch(/^next week\n\n.*Failed\n/)
    expect(note('WEB-6')).toBe('no printer')
    expect(note('WEB-7')).toBe('test timed out after 50ms')
    expect(note('WEB-12')).toBe('a string')
    expect(note('WEB-15')).toContain('checkout > WEB-15 adds up: ')
    expect(note('WEB-16')).toMatch(/^failed running before hook: no database\n/)
    expect(note('WEB-18')).toMatch(/^failed running beforeEach hook: no page\n/)
    expect(stderr).toContain('1 test names no test case (“names nothing”)')
    expect(stderr).toContain('WEB-999')
    expect(stderr).toContain('1 error outside of tests (a hook after all fails: failed running after hook: not closed)')
  })

  it('says of each file why it failed when none of its tests did', async () => {
    const scene = await createScenario(server)
    const broken = ['does-not-load', 'late-error', 'exits'].map((name) => `tests/${name}.test.js`)
    const { exitCode, stderr } = await project.run('node', [...ours, '--test', ...broken], scene.env)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('the suite is not complete: 3 errors outside of tests')
    expect(stderr).toContain('tests/does-not-load.test.js: Error [ERR_MODULE_NOT_FOUND]')
    expect(stderr).toContain('tests/late-error.test.js: Error: A resource generated asynchronous activity')
    expect(stderr).toContain('tests/exits.test.js: The file ended with exit code 3.')
  })

  it('never calls a suite green of which no file loads', async () => {
    const scene = await createScenario(server)
    const { exitCode, stderr } = await project.run(
      'node',
      [...ours, '--test', 'tests/does-not-load.test.js'],
      scene.env,
    )
    expect(exitCode).toBe(1)
    expect(stderr).toContain('the suite is not complete')
    expect(await scene.statuses()).toEqual({})
  })

  it('prints nothing on the standard output, and leaves the exit code as it is', async () => {
    const scene = await createScenario(server)
    const alone = await project.run('node', [...spec, ...files])
    const both = await project.run('node', [...spec, ...ours, ...files], scene.env)
    expect(steady(both.stdout)).toBe(steady(alone.stdout))
    expect(both.exitCode).toBe(alone.exitCode)
    const green = await project.run('node', [...ours, '--test', 'alone/passes.js'], scene.env)
    expect(green).toMatchObject({ exitCode: 0, stdout: '' })
  })

  it('leaves out the tests that nobody asked to run', async () => {
    const scene = await createScenario(server)
    await project.run('node', [...ours, '--test', '--test-name-pattern=WEB-1', 'alone/passes.js'], scene.env)
    expect(await scene.statuses()).toEqual({ 'WEB-1': 'passed' })
  })

  it('does nothing in watch mode', async () => {
    const scene = await createScenario(server)
    const running = project.start('node', [...ours, ...spec, '--watch', 'alone/passes.js'], scene.env)
    await running.prints('WEB-2 passes')
    running.child.kill('SIGKILL')
    const { stderr } = await running.ended
    expect([stderr, await project.spooled()]).toEqual(['', ''])
  })

  // Node 20 ends the process before its reporters have read to the end.
  it('loses nothing when --test-force-exit ends a process that hangs', async () => {
    const scene = await createScenario(server)
    const forced = await project.run(
      'node',
      [...ours, '--test', '--test-force-exit', 'alone/open-handle.js'],
      scene.env,
    )
    expect(forced.exitCode).toBe(0)
    await project.run('node', [...ours, '--test', 'tests/web-32.test.js'], scene.env)
    expect(await scene.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-32': 'passed' })
  })

  // A file that hangs never ends for Node, which waits for it: it is killed in the end, as here.
  it.each(['SIGKILL', 'SIGINT'] as const)(
    'keeps what ran before %s, and sends it with the next run',
    async (signal) => {
      const scene = await createScenario(server)
      const suiteOfTwo = ['--test', '--test-concurrency=1', 'alone/passes.js', 'alone/waits.js']
      const running = project.start('node', [...ours, ...spec, ...suiteOfTwo], scene.env)
      await running.prints('WEB-3 is done')
      await expect.poll(project.spooled, { timeout: 10_000 }).toContain('WEB-3 passes')
      running.child.kill(signal)
      await running.ended
      expect(await scene.statuses()).toEqual({})
      expect(await project.spooled()).toContain('WEB-2 passes')
      await project.run('node', [...ours, '--test', 'tests/web-32.test.js'], scene.env)
      const stored = { 'WEB-1': 'passed', 'WEB-2': 'passed', 'WEB-3': 'passed', 'WEB-32': 'passed' }
      expect(await scene.statuses()).toEqual(stored)
      expect(await project.spooled()).toBe('')
    },
  )

  it('keeps the results of a suite whose server is out of reach, and sends them with the next run', async () => {
    const scene = await createScenario(server)
    const way = await startProxy(server.url)
    const env = { ...scene.env, SERVICE_URL: way.url }
    await way.close()
    const { exitCode, stdout, stderr } = await project.run('node', [...ours, '--test', 'alone/passes.js'], env)
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' })
    expect(stderr).toContain('nothing was stored')
    await way.reopen()
    await project.run('node', [...ours, '--test', 'tests/web-32.test.js'], env)
    await way.close()
    expect(await scene.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'passed', 'WEB-32': 'passed' })
  })

  it('fails the suite when results were not stored and strictness is asked for', async () => {
    const scene = await createScenario(server)
    const strict = { ...scene.env, SERVICE_TOKEN: 'cwc_wrong', SERVICE_STRICT: '1' }
    expect((await project.run('node', [...ours, '--test', 'alone/passes.js'], strict)).exitCode).toBe(1)
    const stored = { ...scene.env, SERVICE_STRICT: '1' }
    expect((await project.run('node', [...ours, '--test', 'alone/passes.js'], stored)).exitCode).toBe(0)
  })
})

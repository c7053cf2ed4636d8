import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { useTestServer } from '@caseward/test-support/test-server'
import { type FreshProject, createFixtureProject } from './fresh-project.ts'
import { createScenario, getGithubJob } from './scenario.ts'
import { startProxy } from './test-proxy.ts'

const server = useTestServer()
let project: FreshProject
beforeAll(async () => {
  project = await createFixtureProject('node-test', 'node-test', ['@caseward/node-test'])
})
afterEach(() => rm(join(project.folder, '.caseward'), { recursive: true, force: true }))
afterAll(() => project.remove())

const specReporter = ['--test', '--test-reporter=spec', '--test-reporter-destination=stdout']
const casewardReporter = ['--test-reporter=@caseward/node-test', '--test-reporter-destination=stdout']
const suite = [
  'tests/statuses',
  'tests/parallel',
  'tests/does-not-load',
  'tests/late-error',
  'tests/web-32',
  'tests/exits',
]
const files = suite.map((name) => `${name}.test.js`)

/** Removes what differs between runs from the output of the spec reporter. */
const normalize = (text: string) => text.replaceAll(/\(?[\d.]+ms\)?|duration_ms [\d.]+|:\d+:\d+|\d+ (?=internal)/g, '')

describe('node --test', () => {
  it('stores the status of each test', async () => {
    const scenario = await createScenario(server)
    const { exitCode } = await project.run(
      'node',
      [...specReporter, ...casewardReporter, '--test-concurrency=4', ...files],
      scenario.env,
    )
    expect(exitCode).toBe(1)
    expect(await scenario.statuses()).toEqual({
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

  it('stores the errors of tests and hooks, and prints unknown test case ids', async () => {
    const scenario = await createScenario(server)
    const { stderr } = await project.run(
      'node',
      [...casewardReporter, '--test', 'tests/statuses.test.js'],
      scenario.env,
    )
    const results = await scenario.results()
    const note = (id: string) => results.get(id)?.note
    expect(note('WEB-2')).toMatch(/Expected values to be strictly equal:\n\n1 !== 2\n[^]*statuses\.test\.js/)
    expect(await scenario.evidence('WEB-2 fails')).toEqual({
      files: ['1 basket.txt complete'],
      steps: [['compares']],
    })
    expect(note('WEB-5')).toMatch(/^Skipped: next week\n\n.*Failed\n/)
    expect(note('WEB-6')).toBe('Skipped: no printer')
    expect(note('WEB-7')).toBe('test timed out after 50ms')
    expect(note('WEB-12')).toBe('a string')
    expect(note('WEB-15')).toContain('checkout > WEB-15 adds up: ')
    expect(note('WEB-16')).toMatch(/^failed running before hook: no database\n/)
    expect(note('WEB-18')).toMatch(/^failed running beforeEach hook: no page\n/)
    expect(stderr).toMatch(/\d+ tests? match(?:es)? no test case(?:, and \d+ of them failed)?: http/)
    expect(stderr).toContain('WEB-999')
    expect(stderr).toContain('1 error outside of tests (a hook after all fails: failed running after hook: not closed)')
  })

  it('stores tests that failed by themselves beside their subtests, and errors of blocks', async () => {
    const scenario = await createScenario(server)
    await project.run('node', [...casewardReporter, '--test', 'tests/parents.test.js'], scenario.env)
    expect(await scenario.outcomes()).toEqual({
      'asserts after its parts': 'failed',
      'asserts after its parts > part': 'passed',
      'asserts after a part that fails': 'failed',
      'asserts after a part that fails > part': 'failed',
      'cleans up after its parts': 'failed',
      'cleans up after its parts > part': 'passed',
      'plans more parts': 'failed',
      'plans more parts > part': 'passed',
      'runs out of time': 'failed',
      'runs out of time > part': 'passed',
      'runs out of time > slow part': 'blocked',
      'outermost > middle': 'failed',
      'outermost > middle > part': 'passed',
      'does not wait > for its part': 'failed',
      'does not wait > for its part > of parts': 'passed',
      'only a part fails > part': 'failed',
      'is to do > part': 'passed',
      'a block that throws > test': 'blocked',
      'a block with > test': 'passed',
      'a block with > a block that throws within > test': 'blocked',
      'a slow block > quick test': 'passed',
      'a slow block > slow test': 'blocked',
      'hooks > test': 'blocked',
      'throws when it has ended': 'passed',
      'waits for that': 'passed',
    })
    expect(await scenario.suiteErrors()).toEqual([
      'a block that throws at once: nothing at all',
      'a block that throws: no fixtures',
      'a block with > a block that throws within: no fixtures within',
      'a slow block: test timed out after 100ms',
      expect.stringMatching(/^tests\/parents\.test\.js: Error: Test "throws when it has ended" .*"Error: late"/),
    ])
  })

  it.each([
    ['flaky', 'passes', {}, 'passed', true],
    ['failed', 'is missing', { WITHOUT_PARENT: '1' }, 'failed', false],
  ])(
    'stores a test that failed by itself as %s when its job runs again and it %s',
    async (_result, _condition, env, outcome, isFlaky) => {
      const scenario = await createScenario(server, 2)
      const file = ['--test', 'standalone/parent.js']
      await project.run('node', [...casewardReporter, ...file], { ...scenario.env, ...getGithubJob(1) })
      expect(await scenario.statuses()).toEqual({ 'WEB-1': 'failed', 'WEB-2': 'passed' })
      await project.run('node', [...casewardReporter, ...file], { ...scenario.env, ...getGithubJob(2), ...env })
      expect(await scenario.statuses()).toEqual({ 'WEB-1': outcome, 'WEB-2': 'passed' })
      const parent = (await scenario.tests()).find(({ name }) => name === 'WEB-1 parent')
      expect(parent).toMatchObject({ outcome, is_flaky: isFlaky })
    },
  )

  it.each([
    ['forgets', 'passes', {}, 0],
    ['keeps', 'is missing', { WITHOUT_PARENT: '1' }, 1],
  ])(
    '%s a failure that only the counts of a JUnit report have when its job runs again and the test %s',
    async (_result, _condition, env, count) => {
      const scenario = await createScenario(server, 2)
      const upload = async (attempt: number, extra: object) => {
        const junit = ['--test', '--test-reporter=junit', 'standalone/parent.js']
        const { stdout } = await project.run('node', junit, { ...getGithubJob(attempt), ...extra })
        const query = `run_id=${scenario.runId}&job=unit&instance=runner+${attempt}&label=Linux&build_attempt=${attempt}`
        const headers = { 'content-type': 'application/xml' }
        await server.request('POST', `/v1/results?${query}`, { token: scenario.token, body: stdout, headers })
      }
      await upload(1, {})
      expect(await scenario.suiteErrors()).toEqual([
        expect.stringContaining('Node counted 1 failed test and its report names 0'),
      ])
      await upload(2, env)
      expect(await scenario.suiteErrors()).toHaveLength(count)
    },
  )

  it('prints why a file failed whose tests have not failed', async () => {
    const scenario = await createScenario(server)
    const broken = ['does-not-load', 'late-error', 'exits'].map((name) => `tests/${name}.test.js`)
    const { exitCode, stderr } = await project.run('node', [...casewardReporter, '--test', ...broken], scenario.env)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('the suite is incomplete: 3 errors outside of tests')
    expect(stderr).toContain('tests/does-not-load.test.js: Error [ERR_MODULE_NOT_FOUND]')
    expect(stderr).toContain('tests/late-error.test.js: Error: A resource generated asynchronous activity')
    expect(stderr).toContain('tests/exits.test.js: The file exited with code 3.')
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

  it('does not change standard output and exit code', async () => {
    const scenario = await createScenario(server)
    const withoutReporter = await project.run('node', [...specReporter, ...files])
    const both = await project.run('node', [...specReporter, ...casewardReporter, ...files], scenario.env)
    expect(normalize(both.stdout)).toBe(normalize(withoutReporter.stdout))
    expect(both.exitCode).toBe(withoutReporter.exitCode)
    const green = await project.run('node', [...casewardReporter, '--test', 'standalone/passes.js'], scenario.env)
    expect(green).toMatchObject({ exitCode: 0, stdout: '' })
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

  // Node 20 ends the process before its reporters have read to the end.
  it('saves all results when --test-force-exit ends a process that hangs', async () => {
    const scenario = await createScenario(server)
    const forced = await project.run(
      'node',
      [...casewardReporter, '--test', '--test-force-exit', 'standalone/open-handle.js'],
      scenario.env,
    )
    expect(forced.exitCode).toBe(0)
    await project.run('node', [...casewardReporter, '--test', 'tests/web-32.test.js'], scenario.env)
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-32': 'passed' })
  })

  // A file that hangs never ends for Node, which waits for it: it is killed in the end, as here.
  it.each(['SIGKILL', 'SIGINT'] as const)(
    'saves the results before %s and sends them with the next run',
    async (signal) => {
      const scenario = await createScenario(server)
      const suiteOfTwo = ['--test', '--test-concurrency=1', 'standalone/passes.js', 'standalone/waits.js']
      const running = project.start('node', [...casewardReporter, ...specReporter, ...suiteOfTwo], scenario.env)
      await running.prints('WEB-3 is done')
      await expect.poll(project.spooled, { timeout: 10_000 }).toContain('WEB-3 passes')
      running.child.kill(signal)
      await running.ended
      expect(await scenario.statuses()).toEqual({})
      expect(await project.spooled()).toContain('WEB-2 passes')
      await project.run('node', [...casewardReporter, '--test', 'tests/web-32.test.js'], scenario.env)
      const stored = { 'WEB-1': 'passed', 'WEB-2': 'passed', 'WEB-3': 'passed', 'WEB-32': 'passed' }
      expect(await scenario.statuses()).toEqual(stored)
      expect(await project.spooled()).toBe('')
    },
  )

  it('saves the results when the server is unreachable and sends them with the next run', async () => {
    const scenario = await createScenario(server)
    const proxy = await startProxy(server.url)
    const env = { ...scenario.env, SERVICE_URL: proxy.url }
    await proxy.close()
    const { exitCode, stdout, stderr } = await project.run(
      'node',
      [...casewardReporter, '--test', 'standalone/passes.js'],
      env,
    )
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' })
    expect(stderr).toContain('nothing was stored')
    await proxy.reopen()
    await project.run('node', [...casewardReporter, '--test', 'tests/web-32.test.js'], env)
    await proxy.close()
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'passed', 'WEB-32': 'passed' })
  })

  it('fails the suite with the option strict when results were not stored', async () => {
    const scenario = await createScenario(server)
    const strict = { ...scenario.env, SERVICE_TOKEN: 'cwc_wrong', SERVICE_STRICT: '1' }
    expect((await project.run('node', [...casewardReporter, '--test', 'standalone/passes.js'], strict)).exitCode).toBe(
      1,
    )
    const stored = { ...scenario.env, SERVICE_STRICT: '1' }
    expect((await project.run('node', [...casewardReporter, '--test', 'standalone/passes.js'], stored)).exitCode).toBe(
      0,
    )
  })
})

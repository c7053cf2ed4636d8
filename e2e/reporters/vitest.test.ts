import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Run } from '@caseward/contract/runs'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { type FreshProject, createFixtureProject } from './fresh-project.ts'
import { createScenario, type Scenario } from './scenario.ts'
import { withUnreachableServer } from './test-proxy.ts'

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

let server: TestServer
let vitest2: FreshProject
let vitest3: FreshProject
let project: FreshProject
beforeAll(async () => {
  const started = await Promise.all([
    startTestServer(),
    createFixtureProject('vitest-2', 'vitest', ['@caseward/vitest'], { unpack: true }),
    createFixtureProject('vitest-3', 'vitest', ['@caseward/vitest'], { unpack: true }),
    createFixtureProject('vitest-4', 'vitest', ['@caseward/vitest']),
  ])
  server = started[0]
  vitest2 = started[1]
  vitest3 = started[2]
  project = started[3]
})
afterEach(() => rm(join(project.folder, '.caseward'), { recursive: true, force: true }))
afterAll(async () => {
  await Promise.all([vitest2.remove(), vitest3.remove(), project.remove()])
  await server.close()
})

const expected = {
  'WEB-1': 'passed',
  'WEB-2': 'failed',
  'WEB-3': 'not_tested',
  'WEB-4': 'not_tested',
  'WEB-5': 'not_tested',
  'WEB-6': 'failed',
  'WEB-7': 'passed',
  'WEB-8': 'failed',
  'WEB-9': 'not_tested',
  'WEB-10': 'failed',
  'WEB-11': 'failed',
  'WEB-12': 'passed',
  'WEB-13': 'failed',
  'WEB-14': 'failed',
  'WEB-15': 'passed',
  'WEB-16': 'passed',
  'WEB-17': 'passed',
  'WEB-18': 'passed',
  'WEB-19': 'passed',
  'WEB-20': 'passed',
  'WEB-21': 'passed',
  'WEB-22': 'passed',
  'WEB-23': 'failed',
  'WEB-24': 'passed',
  'WEB-25': 'failed',
  'WEB-26': 'blocked',
  'WEB-27': 'blocked',
  'WEB-28': 'not_tested',
  'WEB-29': 'failed',
  'WEB-30': 'failed',
  'WEB-31': 'passed',
  'WEB-32': 'blocked',
  'WEB-34': 'passed',
  'WEB-35': 'failed',
}
const incomplete =
  /the suite is not complete: 3 errors outside of tests .*after all: not closed.*does-not-load\.test\.ts: .*not-there.*late-error\.test\.ts: nobody waited/

const alone = { TESTS: 'alone' }

/** The runs that the shards of builds have made. */
async function listRuns({ projectId, runId, admin }: Scenario): Promise<Run[]> {
  const { token } = admin
  const { body } = await server.request<{ data: Run[] }>('GET', `/v1/projects/${projectId}/runs`, { token })
  return body.data.filter(({ id }) => id !== runId)
}

/** Vitest's output without what differs from run to run. */
const steady = (text: string) =>
  text
    .split('\n')
    .filter((line) => !/Start at|Duration|\/node_modules\//.test(line))
    .map((line) => line.replaceAll(/ [\d.]+m?s/g, ''))
    .toSorted()
    .join('\n')

describe('Vitest 2', () => {
  it('tells the status of each test', async () => {
    const scene = await createScenario(server)
    const { exitCode, stderr } = await vitest2.run('vitest', ['run', '--pool=threads'], scene.env)
    expect(exitCode).toBe(1)
    expect(await scene.statuses()).toEqual(expected)
    expect(stderr).toMatch(incomplete)
  })
})

describe('Vitest 3', () => {
  it('tells the status of each test', async () => {
    const scene = await createScenario(server)
    const { exitCode, stderr } = await vitest3.run('vitest', ['run'], { ...scene.env, TESTS: 'tests,since-3' })
    expect(exitCode).toBe(1)
    expect(await scene.statuses()).toEqual({ ...expected, 'WEB-36': 'passed' })
    expect(stderr).toMatch(incomplete)
  })
})

describe('every version', () => {
  it('leaves the run open when the global setup of a shard fails', async () => {
    const scene = await createScenario(server)
    const { SERVICE_URL, SERVICE_TOKEN } = scene.env
    const ran = await Promise.all(
      [vitest2, vitest3, project].map(({ run }, index) => {
        const place = { SERVICE_PROJECT_ID: scene.projectId, SERVICE_RUN_KEY: `build ${index}` }
        const env = { ...alone, SERVICE_URL, SERVICE_TOKEN, ...place, GLOBAL_SETUP: './setup-fails.ts' }
        return run('vitest', ['run', 'alone/passes', '--shard=1/1'], env)
      }),
    )
    const expectedMessage = expect.stringContaining(
      'the suite is not complete: 1 error outside of tests (vitest: None of the test files ran',
    )
    expect(ran).toMatchObject(ran.map(() => ({ exitCode: 1, stderr: expectedMessage })))
    expect(await listRuns(scene)).toMatchObject(ran.map(() => ({ status: 'in_progress', shards_done: [] })))
  })
})

describe('Vitest 4', () => {
  it('tells the status of each test, and what went wrong in each attempt', async () => {
    const scene = await createScenario(server)
    const env = { ...scene.env, TESTS: 'tests,since-3,since-4' }
    const { exitCode, stderr } = await project.run('vitest', ['run', '--pool=forks'], env)
    expect(exitCode).toBe(1)
    expect(await scene.statuses()).toEqual({ ...expected, 'WEB-36': 'passed', 'WEB-37': 'passed' })
    expect(stderr).toMatch(incomplete)
    const results = await scene.results()
    const note = (id: string) => results.get(id)?.note
    expect(note('WEB-2')).toMatch(
      /^AssertionError: expected 'a cart' to be 'an order'.*\nExpected: "an order"\nReceived: "a cart"\n.*statuses\.test\.ts:5:/,
    )
    expect(note('WEB-4')).toBe('To do')
    expect(note('WEB-5')).toBe('no printer')
    expect(note('WEB-6')).toMatch(/^Test timed out in 50ms/)
    expect(note('WEB-13')).toMatch(/no answer\n[^]*the line is cut/)
    expect(note('WEB-14')).toMatch(/^a string/)
    expect(note('WEB-22')).toMatch(
      /^Flaky: passed after 2 of 3 attempts failed\.[^]*Attempt 1: AssertionError: which try: expected 1 [^]*Attempt 2: AssertionError: which try: expected 2 /,
    )
    expect(note('WEB-23')).toMatch(/^Failed in 2 attempts\.[^]*Attempt 1: try 1\n[^]*Attempt 2: try 2\n/)
    expect(note('WEB-25')).toMatch(/^It ran 3 times\.\n\nAssertionError: expected 2 not to be 2/)
    expect(note('WEB-26')).toMatch(/^no database\n/)
    expect(note('WEB-32')).toMatch(/^no server\n/)
    expect(stderr).toContain('1 test names no test case (“names nothing”)')
    expect(stderr).toContain('1 is not in the run')
    expect(stderr).toContain('WEB-999')
    expect(stderr).toContain('1 is no id of this project (ABC-1 of “of another project”)')
  })

  it('never calls a suite green of which no file loads', async () => {
    const scene = await createScenario(server)
    const { exitCode, stderr } = await project.run('vitest', ['run', 'does-not-load'], scene.env)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('the suite is not complete: 1 error outside of tests (tests/does-not-load.test.ts: ')
    expect(await scene.statuses()).toEqual({})
  })

  it('stores nothing where no test file is found', async () => {
    const scene = await createScenario(server)
    const { exitCode, stderr } = await project.run('vitest', ['run', 'no-such-file'], scene.env)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('no test ran, so nothing was stored')
  })

  it('changes neither the standard output nor the exit code, also when its server is out of reach', async () => {
    const unreachable = await withUnreachableServer(await createScenario(server))
    const files = ['statuses', 'hooks', 'does-not-load']
    const [without, both] = await Promise.all([
      project.run('vitest', ['run', '--reporter=default', '--no-file-parallelism', ...files], { NO_COLOR: '1' }),
      project.run('vitest', ['run', '--no-file-parallelism', ...files], { ...unreachable, NO_COLOR: '1' }),
    ])
    expect(steady(both.stdout)).toBe(steady(without.stdout))
    expect(both.exitCode).toBe(without.exitCode)
    expect(both.stderr).toContain('Caseward: nothing was stored: ')
    expect(await project.spooled()).toContain('WEB-1')
  })

  it.each([
    { by: 'a name', args: ['alone/passes', '-t', 'WEB-1'], stored: { 'WEB-1': 'passed' } },
    { by: 'a line', args: ['alone/passes.test.ts:4', '--includeTaskLocation'], stored: { 'WEB-2': 'passed' } },
    { by: 'a tag', args: ['passes', 'tags', '--tags-filter=slow'], stored: { 'WEB-37': 'passed' } },
  ])('leaves out the tests that nobody asked for by $by', async ({ args, stored }) => {
    const scene = await createScenario(server)
    await project.run('vitest', ['run', ...args], { ...scene.env, TESTS: 'alone,since-4' })
    expect(await scene.statuses()).toEqual(stored)
  })

  it('leaves out the tests that --bail kept from running', async () => {
    const scene = await createScenario(server)
    await project.run('vitest', ['run', 'alone/fails', '--bail=1'], { ...scene.env, ...alone })
    expect(await scene.statuses()).toEqual({ 'WEB-6': 'failed' })
  })

  it('brings the shards of a build into one run, and completes it', async () => {
    const scene = await createScenario(server)
    const { SERVICE_URL, SERVICE_TOKEN } = scene.env
    const env = {
      ...alone,
      SERVICE_URL,
      SERVICE_TOKEN,
      SERVICE_PROJECT_ID: scene.projectId,
      SERVICE_RUN_KEY: 'build 7',
    }
    const files = ['alone/passes', 'alone/next']
    const shards = ['1/2', '2/2']
    await Promise.all(shards.map((shard) => project.run('vitest', ['run', ...files, `--shard=${shard}`], env)))
    expect(await listRuns(scene)).toMatchObject([{ name: 'build 7', status: 'completed', stats: { passed: 3 } }])
  })

  it('has types that fit those of each version, and need nothing else', async () => {
    const compile = ({ run }: FreshProject, ...args: string[]) =>
      run(process.execPath, [tsc, '--noEmit', '--strict', '--module', 'nodenext', '--types', '', ...args])
    const theirs = [vitest2, vitest3, project].map((version) => compile(version, '--skipLibCheck', 'theirs.types.ts'))
    const compiled = await Promise.all([...theirs, compile(project, 'ours.types.ts')])
    expect(compiled.map(({ stdout }) => stdout)).toEqual(['', '', '', ''])
  })

  it('does nothing in watch mode', async () => {
    const scene = await createScenario(server)
    const running = project.start('vitest', ['watch', 'alone/passes'], { ...scene.env, ...alone })
    await running.prints('Waiting for file changes')
    running.child.kill('SIGKILL')
    const { stderr } = await running.ended
    expect(stderr).not.toContain('Caseward')
    expect(await scene.statuses()).toEqual({})
  })

  it.each(['SIGKILL', 'SIGINT'] as const)(
    'keeps what ran before %s, and sends it with the next run',
    async (signal) => {
      const scene = await createScenario(server)
      const env = { ...scene.env, ...alone }
      const running = project.start('node', ['node_modules/vitest/vitest.mjs', 'run', 'alone/waits'], env)
      await expect.poll(project.spooled, { timeout: 20_000 }).toContain('WEB-3 passes')
      running.child.kill(signal)
      await running.ended
      expect(await scene.statuses()).toEqual({})
      await project.run('vitest', ['run', 'alone/next'], env)
      const stored = { 'WEB-3': 'passed', 'WEB-9': 'passed' }
      // Vitest lets its reporters know of Ctrl-C only.
      expect(await scene.statuses()).toEqual(signal === 'SIGINT' ? { ...stored, 'WEB-4': 'retest' } : stored)
      expect(await project.spooled()).toBe('')
    },
  )

  it('has stored the results of a process that hangs after its tests', async () => {
    const scene = await createScenario(server)
    const env = { ...scene.env, ...alone, GLOBAL_SETUP: './hangs.ts' }
    const running = project.start('node', ['node_modules/vitest/vitest.mjs', 'run', 'alone/passes'], env)
    await running.prints('it hangs')
    expect(await scene.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'passed' })
    running.child.kill('SIGKILL')
    await running.ended
  })

  it('fails the suite when results were not stored and strictness is asked for', async () => {
    const scene = await createScenario(server)
    const strict = { ...scene.env, ...alone, STRICT: 'yes' }
    const stored = await project.run('vitest', ['run', 'alone/passes'], strict)
    expect(stored.stderr).toMatch(/^Caseward: stored 2 results \(2 passed\) [^\n]*\n$/)
    const refused = await project.run('vitest', ['run', 'alone/passes'], { ...strict, SERVICE_TOKEN: 'cwc_wrong' })
    expect([stored.exitCode, refused.exitCode]).toEqual([0, 1])
  })
})

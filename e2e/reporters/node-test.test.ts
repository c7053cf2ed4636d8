import { beforeAll, describe, expect, it } from 'vitest'

import { useSharedServer } from '@caseward/test-support/test-server'
import type { CommandResult } from './fresh-project.ts'
import { createScenario, getGithubJob, type Scenario } from './scenario.ts'
import { useFixtureProject } from './use-fixture-project.ts'

const server = useSharedServer()
const project = useFixtureProject('node-test', 'node-test', ['@caseward/node-test'])

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
  let reported: Scenario
  let result: CommandResult
  beforeAll(async () => {
    reported = await createScenario(server)
    const args = [...specReporter, ...casewardReporter, '--test-concurrency=4', ...files]
    result = await project.run('node', args, reported.env)
  })

  it('stores the status of each test', async () => {
    expect(result.exitCode).toBe(1)
    expect(await reported.statuses()).toEqual({
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
    const results = await reported.results()
    const note = (id: string) => results.get(id)?.note
    expect(note('WEB-2')).toMatch(/Expected values to be strictly equal:\n\n1 !== 2\n[^]*statuses\.test\.js/)
    expect(await reported.evidence('WEB-2 fails')).toEqual({
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
    expect(result.stderr).toMatch(/\d+ tests? match(?:es)? no test case(?:, and \d+ of them failed)?: http/)
    expect(result.stderr).toContain('WEB-999')
  })

  it('stores why a file failed whose tests have not failed, and why a block did', async () => {
    expect(result.stderr).toContain('the suite is incomplete: 4 errors outside of tests')
    expect(await reported.suiteErrors()).toEqual([
      expect.stringMatching(/^a hook after all fails: failed running after hook: not closed/),
      expect.stringMatching(/^tests\/does-not-load\.test\.js: Error \[ERR_MODULE_NOT_FOUND\]/),
      'tests/exits.test.js: The file exited with code 3.',
      expect.stringMatching(/^tests\/late-error\.test\.js: Error: A resource generated asynchronous activity/),
    ])
  })

  it('does not change standard output and exit code', async () => {
    const { env } = await createScenario(server)
    const withoutReporter = await project.run('node', [...specReporter, ...files])
    const both = await project.run('node', [...specReporter, ...casewardReporter, ...files], env)
    expect(normalize(both.stdout)).toBe(normalize(withoutReporter.stdout))
    expect(both.exitCode).toBe(withoutReporter.exitCode)
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
})

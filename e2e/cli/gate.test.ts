import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { makeEvaluationScenario } from '@caseward/test-support/evaluation-scenario'
import { useSharedServer } from '@caseward/test-support/test-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startFakeProxy } from './fake-server.ts'
import { runInProcess } from './run-in-process.ts'

const server = useSharedServer()
const PR = { branch: 'feature/cart', base_branch: 'main', pull_request: '17' }
const EXCUSED = { red: 'failed', green: 'passed', gone: 'passed' } as const

let scenario: Awaited<ReturnType<typeof makeEvaluationScenario>>
let cwd: string

beforeAll(async () => {
  scenario = await makeEvaluationScenario(server)
  cwd = await mkdtemp(join(tmpdir(), 'caseward-gate-'))
  await scenario.build(EXCUSED)
})
afterAll(() => rm(cwd, { recursive: true }))

const gate = (args: readonly string[], env: Record<string, string> = {}) =>
  runInProcess(['gate', '--retries', '0', ...args], {
    cwd,
    env: { PATH: process.env['PATH'], SERVICE_URL: server.url, SERVICE_TOKEN: scenario.ci, ...env },
  })
const shell = (script: string) => ['--', 'sh', '-c', script]

/** Runs of a pull request: one that has only what main has, one with a new failure, too, and one without tests. */
async function makeBuilds() {
  const build = (outcomes: Parameters<typeof scenario.build>[0]) =>
    scenario.build(outcomes, { metadata: PR, isOpen: true, upload: { job: 'unit', instance: '1' } })
  const excused = await build({ red: 'failed', green: 'passed' })
  const broken = await build({ red: 'failed', green: 'passed', '@all </td> | [x](http://a)': 'failed' })
  return { excused: excused.id, broken: broken.id }
}

describe('caseward gate', () => {
  it('ends with 0 if nothing blocks, and with 2 if something does, by the rules of the workflow', async () => {
    const { excused, broken } = await makeBuilds()
    const check = async (id: string, ...args: string[]) => (await gate(['--run', id, ...args])).exitCode
    const job = ['--test-exit-code', '1']
    const env = { SERVICE_JOB: 'unit', SERVICE_INSTANCE: '1' }
    expect(await check(excused)).toBe(0)
    expect(await check(broken)).toBe(2)
    expect(await check(broken, '--allow', 'new_test,new')).toBe(0)
    expect(await check(excused, '--block', 'already_red')).toBe(2)
    expect(await check(excused, '--block', 'missing')).toBe(2)
    expect(await check(excused, '--min-tests', '2')).toBe(0)
    expect(await check(excused, '--min-tests', '3')).toBe(2)
    // The tests failed, and all that failed is excused; another job, of which nothing failed, has crashed.
    expect((await gate(['--run', excused, ...job], env)).exitCode).toBe(0)
    const crash = await gate(['--run', excused, ...job], { ...env, SERVICE_JOB: 'e2e' })
    expect(crash).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('ended with exit code 1') })
    const empty = await scenario.makeRunByKey('nothing', { metadata: PR })
    expect(await gate(['--run', empty.id])).toMatchObject({
      exitCode: 2,
      stdout: expect.stringContaining('no test was executed'),
    })
  })

  it('prints what blocks, and writes the summary to the file of the option or of GitHub Actions', async () => {
    const { broken } = await makeBuilds()
    const { stdout, stderr } = await gate(['--run', broken, '--summary-file', 'summary.md'])
    const [headline, counts, failure, base, url] = stdout.split('\n')
    expect({ stderr, headline, counts, failure, base, url }).toEqual({
      stderr: '',
      headline: '✗ 1 failure blocks this build',
      counts: '1 new test · 1 already red · 1 missing · 3 tests',
      failure: expect.stringMatching(/^ {2}new test: .*@all <\/td> \| \[x\]\(http:\/\/a\)/),
      base: 'compared with main',
      url: `${server.url}/runs/${broken}`,
    })
    const summary = await readFile(join(cwd, 'summary.md'), 'utf8')
    expect(summary).toMatch(/^### ✗ 1 failure blocks this build\n/)
    expect(summary).toContain('**Already red on main (1)**')
    expect(summary).not.toMatch(/@all|<\/td>|\]\(http:\/\/a/)
    await gate(['--run', broken], { GITHUB_STEP_SUMMARY: join(cwd, 'step.md') })
    expect(await readFile(join(cwd, 'step.md'), 'utf8')).toBe(summary)
    const unwritable = await gate(['--run', broken, '--summary-file', 'no/such/directory.md'])
    expect(unwritable).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/summary could not be written/) })
  })

  it('prints everything as JSON with --json', async () => {
    const { broken } = await makeBuilds()
    const { exitCode, stdout } = await gate(['--json', '--run', broken])
    expect(exitCode).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({
      judged: true,
      blocked: true,
      exit_code: 2,
      test_exit_code: null,
      reasons: [{ code: 'verdicts', detail: '1 test blocks' }],
      run_id: broken,
      scope: 'run',
      executed_count: 3,
      blocking: [{ verdict: 'new_test', blocks: true }],
      not_blocking: [
        { name: 'red', verdict: 'already_red' },
        { name: 'gone', verdict: 'missing' },
      ],
      suite_errors: [],
      evaluation: { run_id: broken, blocking_count: 1 },
    })
  })

  it('waits for missing shards up to --wait, and judges a shard by itself with --scope job', async () => {
    const { id } = await scenario.makeRunByKey('shards', { metadata: PR })
    const report = async (shard: string, outcome: 'passed' | 'failed') => {
      await scenario.upload(id, { [`of ${shard}`]: outcome }, { job: 'unit', instance: shard, shard })
      const body = { job: 'unit', expected_shards: 4 }
      await server.request('POST', `/v1/runs/${id}/shards/${shard}/done`, { token: scenario.ci, body })
    }
    await report('1', 'passed')
    expect(await gate(['--run', id, '--wait', '0s'])).toMatchObject({
      exitCode: 2,
      stdout: expect.stringContaining('shards are missing'),
    })
    const incomplete = await gate(['--run', id, '--allow-incomplete'])
    expect(incomplete).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('1 test, 1 of 4 shards\n') })
    const own = (shard: string) =>
      gate(['--run', id, '--scope', 'job'], { SERVICE_JOB: 'unit', SERVICE_INSTANCE: shard, SERVICE_SHARD: shard })
    expect((await own('1')).exitCode).toBe(0)
    const waiting = gate(['--run', id, '--wait', '1m'])
    await report('2', 'failed')
    await report('3', 'passed')
    await report('4', 'failed')
    expect(await waiting).toMatchObject({
      exitCode: 2,
      stdout: expect.stringMatching(/ 4 tests, 4 of 4 shards(?:, \d+ s)?\n[^]*of 2/),
    })
    // A shard that has reported nothing has no executed test.
    const codes = await Promise.all(['1', '2', '3', '4', '5'].map(async (shard) => (await own(shard)).exitCode))
    expect(codes).toEqual([0, 2, 0, 2, 2])
  })

  it('runs a command as exec does, in the run of this CI build, and judges it', async () => {
    const env = { SERVICE_PROJECT_ID: scenario.project.id, SERVICE_RUN_KEY: 'with a command', SERVICE_JOB: 'unit' }
    const { id } = await scenario.makeRunByKey('with a command', { metadata: PR })
    await scenario.upload(id, { red: 'failed', green: 'passed' }, { job: 'lint', instance: '1' })
    expect((await gate(shell('exit 0'), env)).exitCode).toBe(0)
    const crash = await gate(shell('echo no such module >&2; exit 3'), env)
    expect(crash).toMatchObject({
      exitCode: 2,
      stdout: expect.stringContaining('error outside of tests: sh -c'),
      stderr: expect.stringContaining('no such module'),
    })
    // The command passes the second time, and its error is gone.
    expect((await gate(shell('exit "${CODE:-3}"'), { ...env, CODE: '0' })).exitCode).toBe(2)
    expect((await gate(['--json', ...shell('echo no such module >&2; exit 3')], env)).exitCode).toBe(2)
  })

  it('uploads reports first with --upload, and is blocked by those that are not stored', async () => {
    const { id } = await scenario.makeRunByKey('uploaded', { metadata: PR })
    const env = { SERVICE_JOB: 'unit', SERVICE_INSTANCE: '1' }
    const write = (name: string, text: string) => writeFile(join(cwd, name), text)
    await write('pass.xml', '<testsuite name="s"><testcase classname="s" name="green"/></testsuite>')
    await write('fail.xml', '<testsuite name="s"><testcase classname="s" name="pays"><failure/></testcase></testsuite>')
    await write('broken.xml', '<testsuite name="s"><testcase')
    const judge = async (...files: string[]) => await gate(['--run', id, '--upload', ...files], env)
    expect(await judge('pass.xml')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('✓ Nothing blocks this build'),
    })
    expect((await judge('pass.xml', 'broken.xml')).stdout).toContain('not all reports could be stored')
    expect(await judge('broken.xml')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('has not judged') })
    expect((await judge('fail.xml')).exitCode).toBe(2)
    const code = await gate(['--run', id, '--upload', 'none-*.xml', '--test-exit-code', '3'], env)
    expect(code.exitCode).toBe(3)
  })

  it.each([
    ['stopped', () => Promise.resolve('http://127.0.0.1:9'), /127\.0\.0\.1/],
    ['500', async () => (await startFakeProxy(500)).url, /500/],
    ['another service', async () => (await startFakeProxy(200, {}, '{"data":{}}')).url, /./],
  ])(
    'ends with the code of the tests when the server is %s, and with 1 if there is none',
    async (_, getUrl, message) => {
      const env = { SERVICE_URL: await getUrl(), SERVICE_RUN_ID: '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01' }
      const codes = [['--test-exit-code', '7'], ['--test-exit-code', '0'], []]
      const outputs = await Promise.all(codes.map((args) => gate([...args, '--wait', '0s'], env)))
      expect(outputs.map(({ exitCode }) => exitCode)).toEqual([7, 0, 1])
      for (const { stderr } of outputs) expect(stderr).toMatch(message)
      expect(outputs[1]?.stderr).toMatch(
        /^Caseward has not judged this build\. The exit code is that of the tests: 0\./,
      )
    },
    60_000,
  )

  it('ends with the code of the tests without access, run or settings, and says so in the summary and JSON', async () => {
    const { excused } = await makeBuilds()
    const cases = [
      [['--run', excused], { SERVICE_TOKEN: `cwc_${'0'.repeat(40)}` }],
      [['--run', '019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01'], {}],
      [[], {}],
      [['--run', excused, '--scope', 'job'], {}],
    ] as const
    for (const [args, env] of cases) {
      const { exitCode, stdout } = await gate(['--json', '--test-exit-code', '5', ...args], env)
      expect({ exitCode, document: JSON.parse(stdout) }).toMatchObject({
        exitCode: 5,
        document: { judged: false, exit_code: 5, test_exit_code: 5, error: { message: expect.stringMatching(/./) } },
      })
    }
    const ran = await gate([...shell('exit 4')], { SERVICE_TOKEN: 'wrong', SERVICE_RUN_ID: excused })
    expect(ran.exitCode).toBe(4)
    await gate(['--summary-file', 'unjudged.md'])
    expect(await readFile(join(cwd, 'unjudged.md'), 'utf8')).toMatch(/^### ⚠ Caseward did not judge this build\n/)
  })

  it.each([
    [['--allow', 'flaked'], /It must be one or more of new, /],
    [['--block', 'new'], /It must be one or more of already_red, missing, first_flake/],
    [['--allow', 'already_red', '--block', 'already_red'], /both name already_red/],
    [['--scope', 'job', '--block', 'missing'], /needs --scope run/],
    [['--test-exit-code', '1', ...shell('echo ran')], /Leave it out, or the command/],
    [['--test-exit-code', 'x'], /It must be an exit code/],
    [['--min-tests', '-1'], /It must be a number of tests/],
    [['--wait', 'soon'], /It must be a duration/],
  ])('ends with 1 for the wrong usage %j, before anything runs', async (args, message) => {
    expect(await gate(args)).toEqual({ exitCode: 1, stdout: '', stderr: expect.stringMatching(message) })
  })
})

import type { Run } from '@caseward/contract/runs'
import { beforeAll, describe, expect, it } from 'vitest'

import {
  makeCiToken,
  makeFolder,
  makeMilestone,
  makeProject,
  makeRun,
  makeTestCase,
} from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'

import { runInProcess } from './run-in-process.ts'

const server = useTestServer()
let project: Awaited<ReturnType<typeof makeProject>>
let settings: Record<string, string>

beforeAll(async () => {
  project = await makeProject(server)
  const outer = await makeFolder(server, project, { name: 'Shop' })
  const inner = await makeFolder(server, project, { name: 'In/Out', parent_id: outer.id })
  await makeTestCase(server, project, { title: 'One' })
  await makeTestCase(server, project, { title: 'Two', folder_id: outer.id })
  await makeTestCase(server, project, { title: 'Three', folder_id: inner.id })
  settings = { SERVICE_URL: server.url, SERVICE_TOKEN: await makeCiToken(server, project) }
})

const caseward = (args: readonly string[], env: Record<string, string> = {}) =>
  runInProcess(args, { cwd: '/', env: { ...settings, ...env } })

async function readRun(id: string): Promise<Run> {
  return (await server.request<{ data: Run }>('GET', `/v1/runs/${id}`, { token: project.admin.token })).body.data
}

async function createRun(args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  const output = await caseward(['run', 'create', ...args], env)
  expect(output).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/) })
  return await readRun(output.stdout.trim())
}

async function setStatuses(runId: string, statuses: Record<string, string>) {
  const results = Object.entries(statuses).map(([test_case_id, status]) => ({ test_case_id, status }))
  const path = `/v1/runs/${runId}/results/bulk`
  await server.request('POST', path, { token: project.admin.token, body: { results } })
}

describe('caseward run create', () => {
  it('prints only the id to standard output, and the name and address to standard error', async () => {
    const { exitCode, stdout, stderr } = await caseward(['run', 'create', '--name', 'Nightly'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/) })
    expect(stderr).toBe(`Created run “Nightly” with 3 test cases: ${server.url}/runs/${stdout}`)
  })

  it('uses the only project of the token, and names the run after the time', async () => {
    expect(await createRun([])).toMatchObject({ name: expect.stringMatching(/^Run of \d{4}-.* UTC$/), run_key: null })
  })

  it('sets every field of a run', async () => {
    const milestone = await makeMilestone(server, project)
    const args = [
      '--name',
      'R',
      '--milestone',
      milestone.id,
      '--key',
      'k1',
      '--expected-shards',
      '3',
      '--cases',
      'WEB-1,WEB-2',
    ]
    const run = await createRun([
      ...args,
      '--metadata',
      'branch=main',
      '--metadata',
      'commit=8a0=6ed',
      '--project',
      'WEB',
    ])
    expect(run).toMatchObject({
      name: 'R',
      milestone_id: milestone.id,
      run_key: 'k1',
      expected_shards: 3,
      result_count: 2,
      metadata: { branch: 'main', commit: '8a0=6ed' },
    })
  })

  it('finds folders by path, including subfolders', async () => {
    expect(await createRun(['--folders', 'Shop'])).toMatchObject({ result_count: 2 })
    expect(await createRun(['--folders', String.raw`Shop/In\/Out`])).toMatchObject({ result_count: 1 })
  })

  it('stores the name, branch and commit of the CI build', async () => {
    const env = { CI_PIPELINE_ID: '1', CI_PIPELINE_IID: '7', CI_COMMIT_REF_NAME: 'main', CI_COMMIT_SHA: 'abc' }
    expect(await createRun([], env)).toMatchObject({
      name: 'GitLab 7 (main)',
      metadata: { branch: 'main', commit: 'abc' },
    })
  })

  it('returns the existing run of a run key', async () => {
    const run = await createRun(['--key', 'twice'])
    const { stdout, stderr } = await caseward(['run', 'create', '--key', 'twice', '--json'])
    expect(JSON.parse(stdout)).toEqual({ run, created: false, url: `${server.url}/runs/${run.id}` })
    expect(stderr).toBe('')
  })

  it('creates the run of the CI build, which show and complete find, when the project is set', async () => {
    const env = { SERVICE_PROJECT_ID: project.id, GITHUB_RUN_ID: '4711', GITHUB_RUN_NUMBER: '7' }
    const { id } = await createRun(['--name', 'Release'], env)
    expect((await createRun([], env)).id).toBe(id)
    const output = await caseward(['run', 'show', '--json'], env)
    expect(JSON.parse(output.stdout)).toMatchObject({ run: { id, name: 'Release', status: 'in_progress' } })
    expect(await caseward(['run', 'complete'], env)).toMatchObject({ exitCode: 0 })
    expect(await readRun(id)).toMatchObject({ status: 'completed' })
    expect((await createRun(['--key', 'another run'], env)).id).not.toBe(id)
  })

  it.each([
    [['--cases', 'WEB-1', '--folders', 'Shop'], /Use either --cases or --folders, not both/],
    [['--folders', 'Gone'], /The project has no folder “Gone”/],
    [['--cases', 'WEB-99'], /error: WEB-99 is /],
    [['--metadata', 'branch'], /It must look like branch=main/],
    [
      ['--project', 'APP'],
      /The token has access to no project with the prefix APP\. Set --project .*\n.*WEB {2}Web shop/,
    ],
  ])('rejects %j with a reason, and creates no run', async (args, message) => {
    expect(await caseward(['run', 'create', ...args])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(message),
    })
  })
})

describe('caseward run complete', () => {
  it('completes a run, and has no effect the second time', async () => {
    const { id } = await makeRun(server, project)
    // The earlier name of the command still works.
    for (const name of ['complete', 'close']) {
      const { exitCode, stdout } = await caseward(['run', name, id])
      expect({ exitCode, stdout }).toMatchObject({
        exitCode: 0,
        stdout: expect.stringMatching(/^Completed run “Nightly”/),
      })
    }
    expect(await readRun(id)).toMatchObject({ status: 'completed' })
  })

  it('finds the run by SERVICE_RUN_ID or by the run key', async () => {
    const { id } = await makeRun(server, project)
    expect(await caseward(['run', 'complete'], { SERVICE_RUN_ID: id })).toMatchObject({ exitCode: 0 })
    const keyed = await createRun(['--key', 'to close'])
    const env = { SERVICE_PROJECT_ID: project.id, SERVICE_RUN_KEY: 'to close' }
    expect(await caseward(['run', 'complete'], env)).toMatchObject({ exitCode: 0 })
    expect([(await readRun(id)).status, (await readRun(keyed.id)).status]).toEqual(['completed', 'completed'])
  })

  it('reports an unknown id or key with what to check', async () => {
    const { exitCode, stderr } = await caseward(['run', 'complete', 'nightly'])
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/Check that the id \(nightly\)/),
    })
    const env = { SERVICE_PROJECT_ID: project.id, SERVICE_RUN_KEY: 'unknown' }
    expect((await caseward(['run', 'complete'], env)).stderr).toMatch(/The project has no run with the key “unknown”/)
  })
})

describe('caseward run show', () => {
  it('prints status, counts, metadata and shards of a run', async () => {
    const { id } = await createRun([
      '--name',
      'R',
      '--expected-shards',
      '2',
      '--metadata',
      'branch=main',
      '--metadata',
      'ci_url=https://ci/1',
      '--metadata',
      'browser=firefox',
    ])
    await setStatuses(id, { 'WEB-1': 'passed', 'WEB-2': 'failed' })
    await server.request('POST', `/v1/runs/${id}/shards/one/done`, { token: project.admin.token })
    const { exitCode, stdout, stderr } = await caseward(['run', 'show', id])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout.split('\n')).toEqual([
      'R: in progress',
      '3 test cases: 1 passed, 1 failed, 1 not tested; pass rate 50%',
      'branch: main',
      'build: https://ci/1',
      'browser: firefox',
      'shards: 1 of 2 done (one)',
      `${server.url}/runs/${id}`,
      '',
    ])
  })

  it.each([
    ['failed', { 'WEB-1': 'passed' }, 0, ''],
    ['failed', { 'WEB-1': 'failed', 'WEB-2': 'retest' }, 2, 'Check failed: 1 failed, 1 retest.\n'],
    ['failed', { 'WEB-1': 'blocked' }, 2, 'Check failed: 1 blocked.\n'],
    ['incomplete', { 'WEB-1': 'passed', 'WEB-2': 'passed', 'WEB-3': 'passed' }, 0, ''],
    ['incomplete', { 'WEB-1': 'passed' }, 2, 'Check failed: 2 not tested.\n'],
  ])('checks --fail-on %s for results %j, with exit code %i', async (failOn, statuses, exitCode, stderr) => {
    const { id } = await makeRun(server, project)
    await setStatuses(id, statuses)
    expect(await caseward(['run', 'show', id, '--fail-on', failOn])).toMatchObject({ exitCode, stderr })
  })

  const failures = ['  failed, without a test case: pays', '  error outside of tests: b.test.mjs: Cannot find module']
  it.each([
    ['failed', '1 failed test without a test case, 1 error outside of tests', failures],
    [
      'incomplete',
      '1 failed test without a test case, 1 error outside of tests, 3 not tested, 1 CI job not done',
      [...failures, '  not done: unit (1 of 2 shards)'],
    ],
    ['flaky', '1 flaky', ['  flaky: ships']],
    [
      'failed,flaky',
      '1 failed test without a test case, 1 error outside of tests, 1 flaky',
      [...failures, '  flaky: ships'],
    ],
  ])(
    'checks --fail-on %s for tests without a test case and errors outside of tests, and names them',
    async (failOn, reason, names) => {
      const { id } = await makeRun(server, project)
      const token = await makeCiToken(server, project)
      const attempts = (...statuses: string[]) => statuses.map((status) => ({ status }))
      await server.request('POST', '/v1/results', {
        token,
        body: {
          run_id: id,
          format: 'tests',
          tests: [
            { name: 'pays', attempts: attempts('failed') },
            { name: 'ships', attempts: attempts('failed', 'passed') },
          ],
          suite_errors: [{ where: 'b.test.mjs', message: 'Cannot find module\nat b' }],
        },
      })
      await server.request('POST', `/v1/runs/${id}/shards/1/done`, { token, body: { job: 'unit', expected_shards: 2 } })
      const { exitCode, stdout, stderr } = await caseward(['run', 'show', id, '--fail-on', failOn])
      expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: `Check failed: ${reason}.\n` })
      expect(stdout).toContain('2 tests without a test case: 1 passed, 1 failed\n')
      expect(stdout).toContain('pass rate 0%, 1 error\n')
      for (const name of names) expect(stdout).toContain(`${name}\n`)
    },
  )

  it('fails --fail-on incomplete when nothing was reported, or a CI job has begun of which nothing came', async () => {
    const env = { SERVICE_PROJECT_ID: project.id, SERVICE_RUN_KEY: 'killed' }
    const { id } = await createRun([], env)
    const check = ['run', 'show', id, '--fail-on', 'incomplete']
    expect(await caseward(check)).toMatchObject({ exitCode: 2, stderr: 'Check failed: nothing was reported.\n' })
    await server.request('POST', `/v1/projects/${project.id}/runs`, {
      token: project.admin.token,
      body: { name: 'killed', run_key: 'killed', job: 'e2e' },
    })
    const { exitCode, stdout, stderr } = await caseward(check)
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'Check failed: nothing was reported, 1 CI job not done.\n',
    })
    expect(stdout).toContain('  not done: e2e (nothing reported)\n')
  })

  it('names the first ten of each kind, and counts the others', async () => {
    const { id } = await makeRun(server, project)
    const tests = Array.from({ length: 12 }, (_, index) => ({
      name: `test ${String(index).padStart(2, '0')}`,
      attempts: [{ status: 'failed' }],
    }))
    const token = await makeCiToken(server, project)
    await server.request('POST', '/v1/results', { token, body: { run_id: id, format: 'tests', tests } })
    const { stdout } = await caseward(['run', 'show', id, '--fail-on', 'failed'])
    expect(stdout.match(/^ {2}failed, without a test case: .*$/gm)).toHaveLength(11)
    expect(stdout).toContain('  failed, without a test case: and 2 more\n')
  })

  it.each([
    ['--fail-on', 'red', 'It must be one of failed, incomplete, flaky.'],
    ['--wait', 'soon', 'It must be a duration such as 90s, 10m or 1h.'],
  ])('rejects %s %s', async (option, value, message) => {
    const { exitCode, stderr } = await caseward(['run', 'show', option, value])
    expect(exitCode).toBe(1)
    expect(stderr).toContain(message)
  })

  it('waits with --wait until the CI jobs that have begun are done', async () => {
    const { id } = await makeRun(server, project)
    const token = await makeCiToken(server, project)
    const reportShard = (shard: string) =>
      server.request('POST', `/v1/runs/${id}/shards/${shard}/done`, {
        token,
        body: { job: 'unit', expected_shards: 2 },
      })
    await reportShard('1')
    const shown = caseward(['run', 'show', id, '--wait', '1m', '--fail-on', 'incomplete'])
    await reportShard('2')
    expect((await shown).stderr).toBe('Check failed: 3 not tested.\n')
    const early = await caseward(['run', 'show', (await makeRun(server, project)).id, '--wait', '0s'])
    expect(early.exitCode).toBe(0)
  })

  it('prints the run and the check as JSON with --json', async () => {
    const { id } = await makeRun(server, project)
    const { exitCode, stdout } = await caseward(['run', 'show', id, '--json', '--fail-on', 'incomplete'])
    expect(exitCode).toBe(2)
    expect(JSON.parse(stdout)).toEqual({
      run: await readRun(id),
      url: `${server.url}/runs/${id}`,
      check_passed: false,
      reason: '3 not tested',
    })
  })
})

describe('caseward run failed', () => {
  it('prints the tests that failed, could not run or were interrupted, or arguments that run only these again', async () => {
    const { token } = project.admin
    const run = await createRun(['--name', 'Build', '--key', 'failed tests'])
    const file = 'src/cart.test.ts'
    const tests = ['passed', 'failed', 'blocked', 'interrupted', 'skipped'].map((status) => ({
      suite: file,
      file,
      name: `Cart > is ${status}`,
      attempts: [{ status }],
    }))
    const body = { run_id: run.id, format: 'tests', tests }
    const ci = settings['SERVICE_TOKEN'] ?? token
    expect((await server.request('POST', '/v1/results', { token: ci, body })).status).toBeLessThan(300)
    const { stdout, stderr, exitCode } = await caseward(['run', 'failed', run.id])
    expect(stdout.split('\n')).toEqual([
      `${file}\tCart > is failed`,
      `${file}\tCart > is blocked`,
      `${file}\tCart > is interrupted`,
      '',
    ])
    expect([stderr, exitCode]).toEqual(['3 tests failed.\n', 0])
    const mocha = await caseward(['run', 'failed', run.id, '--format', 'mocha'])
    const pattern = ['failed', 'blocked', 'interrupted'].map((status) => `Cart (?:> )?is ${status}`).join('|')
    expect(mocha.stdout).toBe(`${file} '--grep=^(?:${pattern})$'\n`)
    const none = await createRun(['--name', 'Green'])
    expect(await caseward(['run', 'failed', none.id])).toMatchObject({ stdout: '', stderr: 'No test failed.\n' })
  })
})

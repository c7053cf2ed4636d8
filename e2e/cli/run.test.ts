import type { Run } from '@caseward/contract/runs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { runInProcess } from '../../packages/cli/src/run-in-process.test.helper.ts'
import {
  makeCiToken,
  makeFolder,
  makeMilestone,
  makeProject,
  makeRun,
  makeTestCase,
} from '@caseward/test-support/factories'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'

let server: TestServer
let project: Awaited<ReturnType<typeof makeProject>>
let settings: Record<string, string>

beforeAll(async () => {
  server = await startTestServer()
  project = await makeProject(server)
  const outer = await makeFolder(server, project, { name: 'Shop' })
  const inner = await makeFolder(server, project, { name: 'In/Out', parent_id: outer.id })
  await makeTestCase(server, project, { title: 'One' })
  await makeTestCase(server, project, { title: 'Two', folder_id: outer.id })
  await makeTestCase(server, project, { title: 'Three', folder_id: inner.id })
  settings = { SERVICE_URL: server.url, SERVICE_TOKEN: await makeCiToken(server, project) }
})
afterAll(() => server.close())

const caseward = (args: readonly string[], env: Record<string, string> = {}) =>
  runInProcess(args, { cwd: '/', env: { ...settings, ...env } })

async function read(id: string): Promise<Run> {
  return (await server.request<{ data: Run }>('GET', `/v1/runs/${id}`, { token: project.admin.token })).body.data
}

async function create(args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  const ran = await caseward(['run', 'create', ...args], env)
  expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/) })
  return await read(ran.stdout.trim())
}

async function set(runId: string, statuses: Record<string, string>) {
  const results = Object.entries(statuses).map(([test_case_id, status]) => ({ test_case_id, status }))
  const path = `/v1/runs/${runId}/results/bulk`
  await server.request('POST', path, { token: project.admin.token, body: { results } })
}

describe('caseward run create', () => {
  it('prints the id alone, and the rest on standard error', async () => {
    const { exitCode, stdout, stderr } = await caseward(['run', 'create', '--name', 'Nightly'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/) })
    expect(stderr).toBe(`Created “Nightly” over 3 test cases: ${server.url}/runs/${stdout}`)
  })

  it('knows its project where the token reaches one only, and is named by its time', async () => {
    expect(await create([])).toMatchObject({ name: expect.stringMatching(/^Run of \d{4}-.* UTC$/), run_key: null })
  })

  it('takes all that a run has', async () => {
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
    const run = await create([...args, '--metadata', 'branch=main', '--metadata', 'commit=8a0=6ed', '--project', 'WEB'])
    expect(run).toMatchObject({
      name: 'R',
      milestone_id: milestone.id,
      run_key: 'k1',
      expected_shards: 3,
      result_count: 2,
      metadata: { branch: 'main', commit: '8a0=6ed' },
    })
  })

  it('takes folders by their paths', async () => {
    expect(await create(['--folders', 'Shop'])).toMatchObject({ result_count: 2 })
    expect(await create(['--folders', String.raw`Shop/In\/Out`])).toMatchObject({ result_count: 1 })
  })

  it('remembers what the CI system says', async () => {
    const env = { CI_PIPELINE_ID: '1', CI_PIPELINE_IID: '7', CI_COMMIT_REF_NAME: 'main', CI_COMMIT_SHA: 'abc' }
    expect(await create([], env)).toMatchObject({
      name: 'GitLab 7 (main)',
      metadata: { branch: 'main', commit: 'abc' },
    })
  })

  it('finds the run of a key that is there', async () => {
    const run = await create(['--key', 'twice'])
    const { stdout, stderr } = await caseward(['run', 'create', '--key', 'twice', '--json'])
    expect(JSON.parse(stdout)).toEqual({ run, created: false, url: `${server.url}/runs/${run.id}` })
    expect(stderr).toBe('')
  })

  it('makes the run of the build that close and show mean, where a project is named', async () => {
    const env = { SERVICE_PROJECT_ID: project.id, GITHUB_RUN_ID: '4711', GITHUB_RUN_NUMBER: '7' }
    const { id } = await create(['--name', 'Release'], env)
    expect((await create([], env)).id).toBe(id)
    const shown = await caseward(['run', 'show', '--json'], env)
    expect(JSON.parse(shown.stdout)).toMatchObject({ run: { id, name: 'Release', status: 'in_progress' } })
    expect(await caseward(['run', 'close'], env)).toMatchObject({ exitCode: 0 })
    expect(await read(id)).toMatchObject({ status: 'completed' })
    expect((await create(['--key', 'a further one'], env)).id).not.toBe(id)
  })

  it.each([
    [['--cases', 'WEB-1', '--folders', 'Shop'], /Give --cases or --folders, not both/],
    [['--folders', 'Gone'], /The project has no folder “Gone”/],
    [['--cases', 'WEB-99'], /\/test_case_ids\/0/],
    [['--metadata', 'branch'], /It looks like branch=main/],
    [['--project', 'APP'], /--project \(APP\) is no project that the token reaches.*\n.*WEB {2}Web shop/],
  ])('makes none of %j, and says why', async (args, message) => {
    expect(await caseward(['run', 'create', ...args])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(message),
    })
  })
})

describe('caseward run close', () => {
  it('completes the run named, once and again', async () => {
    const { id } = await makeRun(server, project)
    for (let times = 0; times < 2; times += 1) {
      const { exitCode, stdout } = await caseward(['run', 'close', id])
      expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Completed “Nightly”/) })
    }
    expect(await read(id)).toMatchObject({ status: 'completed' })
  })

  it('finds the run of the environment, or of the key', async () => {
    const { id } = await makeRun(server, project)
    expect(await caseward(['run', 'close'], { SERVICE_RUN_ID: id })).toMatchObject({ exitCode: 0 })
    const keyed = await create(['--key', 'to close'])
    const env = { SERVICE_PROJECT_ID: project.id, SERVICE_RUN_KEY: 'to close' }
    expect(await caseward(['run', 'close'], env)).toMatchObject({ exitCode: 0 })
    expect([(await read(id)).status, (await read(keyed.id)).status]).toEqual(['completed', 'completed'])
  })

  it('says where to look when there is no such run', async () => {
    const { exitCode, stderr } = await caseward(['run', 'close', 'nightly'])
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/Check that the id \(nightly\)/),
    })
    const env = { SERVICE_PROJECT_ID: project.id, SERVICE_RUN_KEY: 'never asked for' }
    expect((await caseward(['run', 'close'], env)).stderr).toMatch(/No run .* has the key “never asked for”/)
  })
})

describe('caseward run show', () => {
  it('says how the run stands and where it comes from', async () => {
    const { id } = await create([
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
    await set(id, { 'WEB-1': 'passed', 'WEB-2': 'failed' })
    await server.request('POST', `/v1/runs/${id}/shards/one/done`, { token: project.admin.token })
    const { exitCode, stdout, stderr } = await caseward(['run', 'show', id])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout.split('\n')).toEqual([
      'R: in progress',
      '3 test cases: 1 passed, 1 failed, 1 not tested; pass rate 50 %',
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
    ['failed', { 'WEB-1': 'failed', 'WEB-2': 'retest' }, 2, 'Not fit: 1 failed, 1 retest.\n'],
    ['failed', { 'WEB-1': 'blocked' }, 2, 'Not fit: 1 blocked.\n'],
    ['incomplete', { 'WEB-1': 'passed', 'WEB-2': 'passed', 'WEB-3': 'passed' }, 0, ''],
    ['incomplete', { 'WEB-1': 'passed' }, 2, 'Not fit: 2 not tested.\n'],
  ])('gates a pipeline with --fail-on %s on %j', async (failOn, statuses, exitCode, stderr) => {
    const { id } = await makeRun(server, project)
    await set(id, statuses)
    expect(await caseward(['run', 'show', id, '--fail-on', failOn])).toMatchObject({ exitCode, stderr })
  })

  it('says all of it as JSON', async () => {
    const { id } = await makeRun(server, project)
    const { exitCode, stdout } = await caseward(['run', 'show', id, '--json', '--fail-on', 'incomplete'])
    expect(exitCode).toBe(2)
    expect(JSON.parse(stdout)).toEqual({
      run: await read(id),
      url: `${server.url}/runs/${id}`,
      fit: false,
      reason: '3 not tested',
    })
  })
})

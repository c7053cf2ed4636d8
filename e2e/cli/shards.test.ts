import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Run } from '@caseward/contract/run-schemas'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { createCommandRunner } from '@caseward/test-support/caseward-command'
import { getRunResults, makeCiToken, makeProject, makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

import { runInProcess } from './run-in-process.ts'

/* `caseward upload` from independent jobs of a CI build. */

const server = useSharedServer()
let runner: Awaited<ReturnType<typeof createCommandRunner>>
let project: Awaited<ReturnType<typeof makeProject>>
let settings: Record<string, string>

beforeAll(async () => {
  runner = await createCommandRunner()
  await writeFile(join(runner.cwd, 'a.xml'), '<testsuite><testcase name="WEB-1"/></testsuite>')
  await writeFile(join(runner.cwd, 'b.xml'), '<testsuite><testcase name="WEB-2"/></testsuite>')
})
afterAll(() => runner.remove())
beforeEach(async () => {
  project = await makeProject(server)
  await makeTestCases(server, project, 2)
  settings = { SERVICE_URL: server.url, SERVICE_TOKEN: await makeCiToken(server, project) }
})

const upload = (args: readonly string[], env: Record<string, string> = {}) =>
  runInProcess(['upload', ...args], { cwd: runner.cwd, env: { ...settings, ...env } })
/** Jobs of a build are processes. */
const uploadByProcess = (args: readonly string[], env: Record<string, string> = {}) =>
  runner.run(['upload', ...args], { env: { ...settings, ...env } })

async function listRuns(): Promise<Run[]> {
  const path = `/v1/projects/${project.id}/runs`
  return (await server.request<{ data: Run[] }>('GET', path, { token: project.admin.token })).body.data
}

const getGitlabEnv = (job: string) => ({
  CI_PIPELINE_ID: '4711',
  CI_PIPELINE_IID: '12',
  CI_COMMIT_REF_NAME: 'main',
  CI_NODE_INDEX: job,
  CI_NODE_TOTAL: '2',
})

describe('caseward upload without a run id', () => {
  it('stores the results of all jobs of a build in one run, and prints its address', async () => {
    const env = { SERVICE_PROJECT_ID: project.id }
    const [first] = await Promise.all([
      uploadByProcess(['a.xml'], { ...env, ...getGitlabEnv('1') }),
      uploadByProcess(['b.xml'], { ...env, ...getGitlabEnv('2') }),
    ])
    const runs = await listRuns()
    expect(runs).toMatchObject([
      { name: 'GitLab 12 (main)', metadata: { branch: 'main' }, status: 'in_progress', expected_shards: null },
    ])
    expect(first).toMatchObject({
      exitCode: 0,
      stdout: `a.xml: 1 stored (1 passed)\n“GitLab 12 (main)”: ${server.url}/runs/${runs[0]?.id}\n`,
    })
    const results = await getRunResults(server, runs[0]?.id ?? '', project.admin.token)
    expect([results.get('WEB-1')?.status, results.get('WEB-2')?.status]).toEqual(['passed', 'passed'])
  })

  it('takes project, key and name from the options before the environment', async () => {
    const env = { SERVICE_PROJECT_ID: 'gone', SERVICE_RUN_KEY: 'other', SERVICE_RUN_ID: 'gone' }
    const { exitCode } = await upload(['a.xml', '--project', 'web', '--run-key', 'nightly', '--name', 'Nightly'], env)
    expect(exitCode).toBe(0)
    expect(await listRuns()).toMatchObject([{ run_key: 'nightly', name: 'Nightly' }])
  })

  it('creates no run for a dry run or for missing files', async () => {
    const target = ['--project', project.id, '--run-key', 'k']
    const dry = await upload(['a.xml', '--dry-run', ...target])
    expect(dry).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/The project has no run with the key “k”/) })
    expect(await upload(['gone.xml', ...target])).toMatchObject({ exitCode: 1 })
    expect(await listRuns()).toEqual([])
  })

  it('reports the missing setting', async () => {
    expect((await upload(['a.xml'])).stderr).toMatch(/SERVICE_RUN_ID is not set\. .* In CI, .* SERVICE_PROJECT_ID/)
    const { stderr } = await upload(['a.xml'], { SERVICE_PROJECT_ID: project.id })
    expect(stderr).toMatch(/SERVICE_RUN_KEY is not set, and no supported CI system was detected/)
  })
})

describe('caseward upload --shard', () => {
  const uploadShard = (name: string, ...args: string[]) =>
    upload([...args, '--project', project.id, '--run-key', 'k', '--shard', name, '--expected-shards', '2'])

  it('reports the shard as done, and the last shard completes the run', async () => {
    expect((await uploadShard('one', 'a.xml')).stdout).toMatch(/Shard “one” is done: 1 of 2 shards\.\n$/)
    expect((await uploadShard('two', 'b.xml')).stdout).toMatch(/Shard “two” is done: the run is completed\.\n$/)
    expect(await listRuns()).toMatchObject([{ status: 'completed', shards_done: ['one', 'two'] }])
  })

  it('takes the name of the shard from the CI system if that numbers its jobs', async () => {
    const env = { ...getGitlabEnv('2'), SERVICE_EXPECTED_SHARDS: '2', SERVICE_PROJECT_ID: project.id }
    const { stdout } = await upload(['a.xml', '--json'], env)
    expect(JSON.parse(stdout)).toMatchObject({ shard: { name: '2', reported: true, run_completed: false } })
  })

  it('reopens the run that its shards have completed when one runs again', async () => {
    await uploadShard('one', 'a.xml')
    await uploadShard('two', 'b.xml')
    expect(await uploadShard('one', 'a.xml')).toMatchObject({ exitCode: 0 })
    expect(await listRuns()).toMatchObject([{ status: 'completed', shards_done: ['one', 'two'] }])
  })

  it('does not report the shard as done when one of its files is missing', async () => {
    const { exitCode, stderr } = await uploadShard('one', 'a.xml', 'gone.xml')
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringMatching(/Shard “one” was not reported as done/),
    })
    expect(await listRuns()).toMatchObject([{ shards_done: [] }])
  })
})

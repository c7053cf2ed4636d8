import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Run } from '@caseward/contract/runs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { buildCommand, createCommandRunner } from '@caseward/test-support/caseward-command'
import { getRunResults, makeCiToken, makeProject, makeTestCases } from '@caseward/test-support/factories'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'

/* `caseward upload` from the jobs of a CI build, which know nothing of each other. */

let server: TestServer
let directory: Awaited<ReturnType<typeof createCommandRunner>>
let project: Awaited<ReturnType<typeof makeProject>>
let settings: Record<string, string>

beforeAll(async () => {
  await buildCommand()
  server = await startTestServer()
  directory = await createCommandRunner()
  await writeFile(join(directory.cwd, 'a.xml'), '<testsuite><testcase name="WEB-1"/></testsuite>')
  await writeFile(join(directory.cwd, 'b.xml'), '<testsuite><testcase name="WEB-2"/></testsuite>')
})
afterAll(async () => {
  await server.close()
  await directory.remove()
})
beforeEach(async () => {
  project = await makeProject(server)
  await makeTestCases(server, project, 2)
  settings = { SERVICE_URL: server.url, SERVICE_TOKEN: await makeCiToken(server, project) }
})

const upload = (args: readonly string[], env: Record<string, string> = {}) =>
  directory.run(['upload', ...args], { env: { ...settings, ...env } })

async function runs(): Promise<Run[]> {
  const path = `/v1/projects/${project.id}/runs`
  return (await server.request<{ data: Run[] }>('GET', path, { token: project.admin.token })).body.data
}

const gitlab = (job: string) => ({
  CI_PIPELINE_ID: '4711',
  CI_PIPELINE_IID: '12',
  CI_COMMIT_REF_NAME: 'main',
  CI_NODE_INDEX: job,
  CI_NODE_TOTAL: '2',
})

describe('without a run', () => {
  it('stores into one run of the build, whichever job asks first, and says where', async () => {
    const env = { SERVICE_PROJECT_ID: project.id }
    const [first] = await Promise.all([
      upload(['a.xml'], { ...env, ...gitlab('1') }),
      upload(['b.xml'], { ...env, ...gitlab('2') }),
    ])
    const made = await runs()
    expect(made).toMatchObject([
      { name: 'GitLab 12 (main)', metadata: { branch: 'main' }, status: 'in_progress', expected_shards: null },
    ])
    expect(first).toMatchObject({
      exitCode: 0,
      stdout: `a.xml: 1 stored (1 passed)\n“GitLab 12 (main)”: ${server.url}/runs/${made[0]?.id}\n`,
    })
    const results = await getRunResults(server, made[0]?.id ?? '', project.admin.token)
    expect([results.get('WEB-1')?.status, results.get('WEB-2')?.status]).toEqual(['passed', 'passed'])
  })

  it('takes project, key and name from the command line before the environment', async () => {
    const env = { SERVICE_PROJECT_ID: 'gone', SERVICE_RUN_KEY: 'other', SERVICE_RUN_ID: 'gone' }
    const { exitCode } = await upload(['a.xml', '--project', 'web', '--run-key', 'nightly', '--name', 'Nightly'], env)
    expect(exitCode).toBe(0)
    expect(await runs()).toMatchObject([{ run_key: 'nightly', name: 'Nightly' }])
  })

  it('makes none for a dry run, nor for files that are not there', async () => {
    const where = ['--project', project.id, '--run-key', 'k']
    const dry = await upload(['a.xml', '--dry-run', ...where])
    expect(dry).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/No run of the project has the key “k”/) })
    expect(await upload(['gone.xml', ...where])).toMatchObject({ exitCode: 1 })
    expect(await runs()).toEqual([])
  })

  it('says what is missing', async () => {
    expect((await upload(['a.xml'])).stderr).toMatch(/SERVICE_RUN_ID is not set\. .* or, in CI, .* SERVICE_PROJECT_ID/)
    const { stderr } = await upload(['a.xml'], { SERVICE_PROJECT_ID: project.id })
    expect(stderr).toMatch(/SERVICE_RUN_KEY is not set, and no CI system is known here/)
  })
})

describe('a job of several', () => {
  const shard = (name: string, ...args: string[]) =>
    upload([...args, '--project', project.id, '--run-key', 'k', '--shard', name, '--expected-shards', '2'])

  it('reports that it is done, and the last one completes the run', async () => {
    expect((await shard('one', 'a.xml')).stdout).toMatch(/The shard “one” is done: 1 of 2\.\n$/)
    expect((await shard('two', 'b.xml')).stdout).toMatch(/The shard “two” is done: the run is complete\.\n$/)
    expect(await runs()).toMatchObject([{ status: 'completed', shards_done: ['one', 'two'] }])
  })

  it('is known by its CI system where that counts its jobs', async () => {
    const env = { ...gitlab('2'), SERVICE_EXPECTED_SHARDS: '2', SERVICE_PROJECT_ID: project.id }
    const { stdout } = await upload(['a.xml', '--json'], env)
    expect(JSON.parse(stdout)).toMatchObject({ shard: { name: '2', reported: true, run_completed: false } })
  })

  it('runs again into the run that it has completed', async () => {
    await shard('one', 'a.xml')
    await shard('two', 'b.xml')
    expect(await shard('one', 'a.xml')).toMatchObject({ exitCode: 0 })
    expect(await runs()).toMatchObject([{ status: 'completed', shards_done: ['one', 'two'] }])
  })

  it('is not done while one of its files is missing', async () => {
    const { exitCode, stderr } = await shard('one', 'a.xml', 'gone.xml')
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringMatching(/“one” is not reported as done/),
    })
    expect(await runs()).toMatchObject([{ shards_done: [] }])
  })
})

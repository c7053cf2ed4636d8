import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { type CasewardProcess, getDatabaseUrl, startCaseward } from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { useTestServer } from '@caseward/test-support/test-server'
import { type FreshProject, createFixtureProject } from './fresh-project.ts'
import { createScenario } from './scenario.ts'
import { startProxyThatFails } from './test-proxy.ts'

/* Tests of the packed packages in which each suite and command is a separate process. */

const server = useTestServer()
let project: FreshProject
beforeAll(async () => {
  const packages = ['@caseward/cli', '@caseward/vitest', '@caseward/node-test']
  project = await createFixtureProject('vitest-4', 'installed', packages, { withNpm: true })
})
// What a test has saved must not be sent by its second attempt.
afterEach(() => rm(join(project.folder, '.caseward'), { recursive: true, force: true }))
afterAll(() => project.remove())

const nodeTest = ['--test', '--test-reporter=@caseward/node-test', '--test-reporter-destination=stdout']

describe('caseward', () => {
  it('init sets up a project whose suite then reports its results', async () => {
    const scenario = await createScenario(server, 2)
    const { exitCode, stdout } = await project.run('caseward', ['init', '--yes'])
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^Wrote vitest\.config\.mjs\.\nWrote \.gitignore\.\n[^]* @caseward\/vitest\n/),
    })
    const suite = await project.run('vitest', ['run'], { ...scenario.env, NO_COLOR: '1' })
    expect(suite).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('1 failed | 1 passed') })
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'failed' })
    expect(await readFile(join(project.folder, '.gitignore'), 'utf8')).toBe('.caseward/\n')
  })

  it('upload stores the results of a JUnit report', async () => {
    const scenario = await createScenario(server, 2)
    const { exitCode, stdout } = await project.run('caseward', ['upload', 'junit.xml'], scenario.env)
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'junit.xml: 2 stored (1 passed, 1 failed)\n' })
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'failed' })
  })
})

describe('a server that is killed during an upload', () => {
  const CASES = 300

  it('has every result once after a restart and a replay of the spool', async () => {
    const { connection, drop } = await cloneDatabase()
    const settings = {
      DATABASE_URL: getDatabaseUrl(connection),
      DATABASE_POOL_SIZE: '4',
      DATA_DIR: join(project.folder, 'data'),
    }
    let caseward = await startCaseward(settings)
    const { port } = new URL(caseward.url)
    const { env, runId } = await makeScenario(caseward)
    // Killed before anything is stored, and after everything is stored but before the response.
    const rounds = [
      { failOn: 'request', suiteEnv: {}, status: 'passed', exitCode: 0, note: null },
      {
        failOn: 'response',
        suiteEnv: { FAILS: 'yes' },
        status: 'failed',
        exitCode: 1,
        note: expect.stringMatching(/: no\n/),
      },
    ] as const
    for (const { failOn, suiteEnv, status, exitCode, note } of rounds) {
      const proxy = await startProxyThatFails(caseward.url, failOn, () => caseward.signal('SIGKILL'))
      const proxyEnv = { ...env, SERVICE_URL: proxy.url }
      const suite = await project.run('node', [...nodeTest, 'many.js'], {
        ...proxyEnv,
        ...suiteEnv,
        TESTS: String(CASES),
      })
      expect(suite).toMatchObject({ exitCode, stderr: expect.stringContaining('saved in .caseward/spool') })
      await caseward.ended
      caseward = await startCaseward({ ...settings, PORT: port })
      const replay = await project.run('caseward', ['replay'], proxyEnv)
      expect(replay).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`stored ${CASES} results`) })
      expect(await project.spooled()).toBe('')
      await proxy.close()
      const { body } = await caseward.request('GET', `/v1/runs/${runId}`)
      const { stats } = (body as { data: { stats: Record<string, number> } }).data
      expect(stats[status]).toBe(CASES)
      const results = await caseward.request('GET', `/v1/runs/${runId}/results?per_page=100&page=3`)
      expect((results.body as { data: { note: string | null }[] }).data.map((result) => result.note)).toEqual(
        Array.from({ length: 100 }, () => note),
      )
    }
    caseward.signal('SIGTERM')
    expect(await caseward.ended).toBe(0)
    await drop()
  })

  async function makeScenario(caseward: CasewardProcess) {
    const make = async (path: string, body: object) =>
      ((await caseward.request('POST', path, body)).body as { data: { id: string; token: string } }).data
    const { id } = await make('/v1/projects', { name: 'Web shop', prefix: 'WEB' })
    const test_cases = Array.from({ length: 100 }, () => ({ title: 'A test case' }))
    for (let count = 0; count < CASES; count += 100) await make(`/v1/projects/${id}/test-cases/bulk`, { test_cases })
    const run = await make(`/v1/projects/${id}/runs`, { name: 'Nightly' })
    const { token } = await make(`/v1/projects/${id}/tokens`, { name: 'CI', access: 'write' })
    return { runId: run.id, env: { SERVICE_TOKEN: token, SERVICE_RUN_ID: run.id } }
  }
})

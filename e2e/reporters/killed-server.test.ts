import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { type CasewardProcess, getDatabaseUrl, startCaseward } from '@caseward/test-support/caseward-process'
import { cloneDatabase } from '@caseward/test-support/database'
import { type FreshProject, createFixtureProject } from './fresh-project.ts'
import { startProxyThatFails } from './test-proxy.ts'

/* The service, the suite and the command are processes of their own. */

let project: FreshProject
beforeAll(async () => {
  project = await createFixtureProject('vitest-4', 'installed', ['@caseward/cli', '@caseward/node-test'], {
    withNpm: true,
  })
})
// What a test has saved must not be sent by its second attempt.
afterEach(() => rm(join(project.folder, '.caseward'), { recursive: true, force: true }))
afterAll(() => project.remove())

const nodeTest = ['--test', '--test-reporter=@caseward/node-test', '--test-reporter-destination=stdout']

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

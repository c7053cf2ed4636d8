import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Run } from '@caseward/contract/run-schemas'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { makeConfigurations, makeRun } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { type FreshProject, createFixtureProject } from './fresh-project.ts'
import { createScenario } from './scenario.ts'
import { withUnreachableServer } from './test-proxy.ts'

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

const server = useTestServer()
let project: FreshProject
beforeAll(async () => {
  project = await createFixtureProject('playwright-1', 'playwright', ['@caseward/playwright'])
})
afterEach(() => rm(join(project.folder, '.caseward'), { recursive: true, force: true }))
afterAll(() => project.remove())

const playwright = (args: readonly string[], env: Record<string, string>) =>
  project.run('playwright', ['test', ...args], { TESTS: 'standalone', ...env })

/** Starts Playwright without a shell, so that it receives signals. */
const start = (args: readonly string[], env: Record<string, string>) =>
  project.start('node', ['node_modules/@playwright/test/cli.js', 'test', ...args], { TESTS: 'standalone', ...env })

/** Removes what differs between runs from Playwright's output. */
const normalize = (text: string) => text.replaceAll(/\bwith(?:out)?\//g, '').replaceAll(/\(?\b[\d.]+m?s\)?/g, '')

describe('Playwright', () => {
  it('stores the status and the errors of each attempt', async () => {
    const scenario = await createScenario(server)
    const { exitCode, stderr } = await playwright([], { ...scenario.env, TESTS: 'tests' })
    expect(exitCode).toBe(1)
    expect(await scenario.statuses()).toEqual({
      'WEB-1': 'passed',
      'WEB-2': 'failed',
      'WEB-3': 'not_tested',
      'WEB-4': 'not_tested',
      'WEB-5': 'not_tested',
      'WEB-6': 'failed',
      'WEB-7': 'passed',
      'WEB-11': 'passed',
      'WEB-12': 'passed',
      'WEB-13': 'passed',
      'WEB-14': 'passed',
      'WEB-15': 'passed',
      'WEB-16': 'passed',
      'WEB-17': 'passed',
      'WEB-18': 'passed',
      'WEB-20': 'failed',
      'WEB-21': 'blocked',
      'WEB-22': 'not_tested',
      'WEB-23': 'failed',
      'WEB-25': 'passed',
      'WEB-26': 'failed',
      'WEB-27': 'failed',
      'WEB-28': 'blocked',
      'WEB-29': 'passed',
      'WEB-31': 'passed',
      'WEB-32': 'failed',
      'WEB-34': 'failed',
      // Their setup project failed, directly or indirectly.
      'WEB-35': 'blocked',
      'WEB-36': 'blocked',
    })
    const results = await scenario.results()
    const note = (id: string) => results.get(id)?.note
    expect(note('WEB-2')).toMatch(/Expected: "desktop"\nReceived: "phone"\n[^]*statuses\.spec\.ts:5:/)
    expect(note('WEB-4')).toBe('Skipped: no printer')
    expect(note('WEB-6')).toMatch(/^Test timeout of 100ms exceeded\./)
    expect(note('WEB-7')).toBe('a known defect')
    expect(note('WEB-21')).toMatch(/^Did not run because “WEB-20 is the first” failed\.\n\nError: no database\n/)
    expect(note('WEB-23')).toMatch(/^Error: no page\n[^]*Error: the browser is gone\n/)
    expect(note('WEB-27')).toMatch(/^Failed in 2 attempts\.\n\nAttempt 1: Error: expect[^]*Attempt 2: Error: expect/)
    expect(note('WEB-36')).toMatch(/^Did not run because “WEB-34 signs in” failed\.\n\nError: expect/)
    const { files, steps } = await scenario.evidence('WEB-29 passes when it is tried again')
    // The attempt that passed has the same files, which are not sent.
    expect(files.filter((file) => !file.includes('error-context'))).toEqual(['1 log complete'])
    expect([steps[0]?.includes('looks'), steps[1]]).toEqual([true, []])
    expect(note('WEB-29')).toMatch(/^Flaky: passed after 1 of 2 attempts failed\.\n\nAttempt 1: Error: which attempt/)
    expect(stderr).toMatch(/\d+ tests? match(?:es)? no test case(?:, and \d+ of them failed)?: http/)
    expect(stderr).toContain('WEB-999')
    expect(stderr).not.toContain('ABC-1')
    expect(stderr).toMatch(/the suite is incomplete: 1 error outside of tests .*the printer is not given back/)
  })

  it('fills the columns of a run with configurations from its projects', async () => {
    const scenario = await createScenario(server, 2)
    const { projectId: id, admin } = scenario
    await makeConfigurations(server, { id, admin }, { browser: ['chromium', 'firefox', 'webkit'] })
    const configurations = { groups: { browser: ['chromium', 'firefox', 'webkit'] } }
    const run = await makeRun(server, { id, admin }, { configurations })
    await playwright(['-c', 'browsers.config.ts'], { ...scenario.env, SERVICE_RUN_ID: run.id })
    const { token } = admin
    const { body } = await server.request<{ data: Run }>('GET', `/v1/runs/${run.id}`, { token })
    expect(body.data).toMatchObject({
      stats: { passed: 1, failed: 1 },
      combination_count: 6,
      configurations: [
        { name: 'chromium', stats: { passed: 2 } },
        { name: 'firefox', stats: { passed: 2 } },
        { name: 'webkit', stats: { passed: 1, failed: 1 } },
      ],
    })
  })

  it('reports the suite as incomplete when a file does not load', async () => {
    const scenario = await createScenario(server)
    const { exitCode, stderr } = await playwright([], { ...scenario.env, TESTS: 'broken' })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/the suite is incomplete: 1 error outside of tests \(.*not-there/)
    expect(await scenario.statuses()).toEqual({})
  })

  it('does not change standard output and exit code when the server is unreachable, and uploads merged blob reports', async () => {
    const scenario = await createScenario(server)
    const unreachable = await withUnreachableServer(scenario)
    const test = ['fails', '--grep=WEB-6']
    const blob = { PLAYWRIGHT_BLOB_OUTPUT_FILE: join(project.folder, 'blobs/report.zip') }
    const [withoutReporter, both] = await Promise.all([
      playwright([...test, '--reporter=list,blob', '--output=without'], blob),
      playwright([...test, '--output=with'], unreachable),
    ])
    expect(normalize(both.stdout)).toBe(normalize(withoutReporter.stdout))
    expect([both.exitCode, withoutReporter.exitCode]).toEqual([1, 1])
    expect(both.stderr).toMatch(/^Caseward: nothing was stored: [^\n]*\n$/)
    expect(await project.spooled()).toContain('WEB-6')
    await rm(join(project.folder, '.caseward'), { recursive: true })

    const merge = ['merge-reports', '--reporter=@caseward/playwright', 'blobs']
    await project.run('playwright', merge, scenario.env)
    expect(await scenario.statuses()).toEqual({ 'WEB-6': 'failed' })
  })

  it('has types that are compatible with Playwright and have no dependencies', async () => {
    const compile = (...args: string[]) =>
      project.run(process.execPath, [tsc, '--noEmit', '--strict', '--module', 'nodenext', '--types', '', ...args])
    expect((await compile('--skipLibCheck', 'framework-types.types.ts')).stdout).toBe('')
    expect((await compile('reporter-options.types.ts')).stdout).toBe('')
  })

  it('uploads nothing with --list', async () => {
    const scenario = await createScenario(server)
    const { exitCode, stderr } = await playwright(['--list', '--shard=1/1'], scenario.env)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  })

  it('reports the shards of a build to one run and completes it, in CommonJS when Node cannot require ES modules', async () => {
    const scenario = await createScenario(server)
    const { SERVICE_URL, SERVICE_TOKEN } = scenario.env
    const env = {
      SERVICE_URL,
      SERVICE_TOKEN,
      SERVICE_PROJECT_ID: scenario.projectId,
      SERVICE_RUN_KEY: 'build 7',
      NODE_OPTIONS: '--no-experimental-require-module',
    }
    const shards = ['commonjs.config.cjs', 'commonjs.config.cts'].map((config, index) => {
      return ['-c', config, `--shard=${index + 1}/2`, `--output=shard-${index}`]
    })
    const runs = await Promise.all(shards.map((shard) => playwright(shard, env)))
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0])
    const { body } = await server.request<{ data: Run[] }>('GET', `/v1/projects/${scenario.projectId}/runs`, {
      token: scenario.admin.token,
    })
    expect(body.data.filter(({ id }) => id !== scenario.runId)).toMatchObject([
      { name: 'build 7', status: 'completed', stats: { passed: 3 } },
    ])
  })

  it('does not report tests that --max-failures skipped, and keeps the run in progress', async () => {
    const scenario = await createScenario(server)
    const { SERVICE_URL, SERVICE_TOKEN } = scenario.env
    const env = { SERVICE_URL, SERVICE_TOKEN, SERVICE_PROJECT_ID: scenario.projectId, SERVICE_RUN_KEY: 'build 8' }
    await playwright(['fails', '--max-failures=1', '--shard=1/1'], env)
    const { body } = await server.request<{ data: Run[] }>('GET', `/v1/projects/${scenario.projectId}/runs`, {
      token: scenario.admin.token,
    })
    expect(body.data.filter(({ id }) => id !== scenario.runId)).toMatchObject([
      { name: 'build 8', status: 'in_progress', stats: { passed: 0, failed: 1, blocked: 0, retest: 0 } },
    ])
  })

  it('saves the results before SIGKILL and sends them with the next run', async () => {
    const scenario = await createScenario(server)
    const running = start(['passes', 'waits', '--workers=1'], scenario.env)
    await running.prints('WEB-4 is waiting')
    await expect.poll(project.spooled, { timeout: 10_000 }).toContain('WEB-3 passes')
    running.child.kill('SIGKILL')
    await running.ended
    expect(await scenario.statuses()).toEqual({})
    const next = await playwright(['next'], { ...scenario.env, STRICT: 'yes' })
    // All results were stored, so that the option changes nothing.
    expect(next).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/^Caseward: stored [^\n]*\n/) })
    const stored = { 'WEB-1': 'passed', 'WEB-2': 'passed', 'WEB-3': 'passed', 'WEB-9': 'passed' }
    expect(await scenario.statuses()).toEqual(stored)
    expect(await project.spooled()).toBe('')
  })

  it('uploads the results before Ctrl-C', async () => {
    const scenario = await createScenario(server)
    const running = start(['waits'], scenario.env)
    await running.prints('WEB-4 is waiting')
    running.child.kill('SIGINT')
    expect((await running.ended).exitCode).toBe(130)
    expect(await scenario.statuses()).toEqual({ 'WEB-3': 'passed', 'WEB-4': 'retest' })
  })

  it('stores the results when the process hangs after its tests', async () => {
    const scenario = await createScenario(server)
    const running = start(['-c', 'hangs.config.mjs'], scenario.env)
    await running.prints('it hangs')
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'passed' })
    running.child.kill('SIGKILL')
    await running.ended
  })

  it('fails the suite with the option strict when results were not stored', async () => {
    const scenario = await createScenario(server)
    const refused = { ...scenario.env, STRICT: 'yes', SERVICE_TOKEN: 'cwc_wrong' }
    expect((await playwright(['passes'], refused)).exitCode).toBe(1)
  })
})

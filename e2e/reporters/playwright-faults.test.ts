import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Run } from '@caseward/contract/run-schemas'
import { describe, expect, it } from 'vitest'

import { makeConfigurations, makeRun } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { usePlaywright } from './playwright-scenario.ts'
import { createScenario } from './scenario.ts'
import { withUnreachableServer } from './test-proxy.ts'

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

const server = useSharedServer()
const playwright = usePlaywright()

/** Removes what differs between runs from Playwright's output. */
const normalize = (text: string) => text.replaceAll(/\bwith(?:out)?\//g, '').replaceAll(/\(?\b[\d.]+m?s\)?/g, '')

describe('Playwright that is stopped, selects tests, has several browsers or shards, or no server', () => {
  it('does not change standard output and exit code when the server is unreachable, and uploads merged blob reports', async () => {
    const scenario = await createScenario(server)
    const unreachable = await withUnreachableServer(scenario)
    const test = ['fails', '--grep=WEB-6']
    const blob = { PLAYWRIGHT_BLOB_OUTPUT_FILE: join(playwright.project.folder, 'blobs/report.zip') }
    const [withoutReporter, both] = await Promise.all([
      playwright.run([...test, '--reporter=list,blob', '--output=without'], blob),
      playwright.run([...test, '--output=with'], unreachable),
    ])
    expect(normalize(both.stdout)).toBe(normalize(withoutReporter.stdout))
    expect([both.exitCode, withoutReporter.exitCode]).toEqual([1, 1])
    expect(both.stderr).toMatch(/^Caseward: nothing was stored: [^\n]*\n$/)
    expect(await playwright.project.spooled()).toContain('WEB-6')
    await rm(join(playwright.project.folder, '.caseward'), { recursive: true })

    const merge = ['merge-reports', '--reporter=@caseward/playwright', 'blobs']
    await playwright.project.run('playwright', merge, scenario.env)
    expect(await scenario.statuses()).toEqual({ 'WEB-6': 'failed' })
  })

  it('uploads nothing with --list', async () => {
    const scenario = await createScenario(server)
    const { exitCode, stderr } = await playwright.run(['--list', '--shard=1/1'], scenario.env)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  })

  it('does not report tests that --max-failures skipped, and keeps the run in progress', async () => {
    const scenario = await createScenario(server)
    const { SERVICE_URL, SERVICE_TOKEN } = scenario.env
    const env = { SERVICE_URL, SERVICE_TOKEN, SERVICE_PROJECT_ID: scenario.projectId, SERVICE_RUN_KEY: 'build 8' }
    await playwright.run(['fails', '--max-failures=1', '--shard=1/1'], env)
    const { body } = await server.request<{ data: Run[] }>('GET', `/v1/projects/${scenario.projectId}/runs`, {
      token: scenario.admin.token,
    })
    expect(body.data.filter(({ id }) => id !== scenario.runId)).toMatchObject([
      { name: 'build 8', status: 'in_progress', stats: { passed: 0, failed: 1, blocked: 0, retest: 0 } },
    ])
  })

  it('saves the results before SIGKILL and sends them with the next run', async () => {
    const scenario = await createScenario(server)
    const running = playwright.start(['passes', 'waits', '--workers=1'], scenario.env)
    await running.prints('WEB-4 is waiting')
    await expect.poll(playwright.project.spooled, { timeout: 10_000 }).toContain('WEB-3 passes')
    running.child.kill('SIGKILL')
    await running.ended
    expect(await scenario.statuses()).toEqual({})
    const next = await playwright.run(['next'], { ...scenario.env, STRICT: 'yes' })
    // All results were stored, so that the option changes nothing.
    expect(next).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/^Caseward: stored [^\n]*\n/) })
    const stored = { 'WEB-1': 'passed', 'WEB-2': 'passed', 'WEB-3': 'passed', 'WEB-9': 'passed' }
    expect(await scenario.statuses()).toEqual(stored)
    expect(await playwright.project.spooled()).toBe('')
  })

  it('uploads the results before Ctrl-C', async () => {
    const scenario = await createScenario(server)
    const running = playwright.start(['waits'], scenario.env)
    await running.prints('WEB-4 is waiting')
    running.child.kill('SIGINT')
    expect((await running.ended).exitCode).toBe(130)
    expect(await scenario.statuses()).toEqual({ 'WEB-3': 'passed', 'WEB-4': 'retest' })
  })

  it('stores the results when the process hangs after its tests', async () => {
    const scenario = await createScenario(server)
    const running = playwright.start(['-c', 'hangs.config.mjs'], scenario.env)
    await running.prints('it hangs')
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'passed' })
    running.child.kill('SIGKILL')
    await running.ended
  })

  it('fails the suite with the option strict when results were not stored', async () => {
    const scenario = await createScenario(server)
    const refused = { ...scenario.env, STRICT: 'yes', SERVICE_TOKEN: 'cwc_wrong' }
    expect((await playwright.run(['passes'], refused)).exitCode).toBe(1)
  })

  it('fills the columns of a run with configurations from its projects', async () => {
    const scenario = await createScenario(server, 2)
    const { projectId: id, admin } = scenario
    await makeConfigurations(server, { id, admin }, { browser: ['chromium', 'firefox', 'webkit'] })
    const configurations = { groups: { browser: ['chromium', 'firefox', 'webkit'] } }
    const run = await makeRun(server, { id, admin }, { configurations })
    await playwright.run(['-c', 'browsers.config.ts'], { ...scenario.env, SERVICE_RUN_ID: run.id })
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
    const { exitCode, stderr } = await playwright.run([], { ...scenario.env, TESTS: 'broken' })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/the suite is incomplete: 1 error outside of tests \(.*not-there/)
    expect(await scenario.statuses()).toEqual({})
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
    const runs = await Promise.all(shards.map((shard) => playwright.run(shard, env)))
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0])
    const { body } = await server.request<{ data: Run[] }>('GET', `/v1/projects/${scenario.projectId}/runs`, {
      token: scenario.admin.token,
    })
    expect(body.data.filter(({ id }) => id !== scenario.runId)).toMatchObject([
      { name: 'build 7', status: 'completed', stats: { passed: 3 } },
    ])
  })
})

describe('the types of @caseward/playwright', () => {
  it('are compatible with Playwright and have no dependencies', async () => {
    const compile = (...args: string[]) =>
      playwright.project.run(process.execPath, [
        tsc,
        '--noEmit',
        '--strict',
        '--module',
        'nodenext',
        '--types',
        '',
        ...args,
      ])
    expect((await compile('--skipLibCheck', 'framework-types.types.ts')).stdout).toBe('')
    expect((await compile('reporter-options.types.ts')).stdout).toBe('')
  })
})

import { existsSync, readFileSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Run } from '@caseward/contract/runs'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { useTestServer } from '@caseward/test-support/test-server'
import { type FreshProject, createFixtureProject } from './fresh-project.ts'
import { createScenario, type Scenario } from './scenario.ts'
import { startProxy } from './test-proxy.ts'

// Cypress itself is not run here, because its program is not in the npm registry. Recorded results are passed to the
// handlers of the plugin, and the plugin is compiled against Cypress's types.
const repository = fileURLToPath(new URL('../..', import.meta.url))
const tsc = join(repository, 'node_modules/.bin/tsc')

const server = useTestServer()
let project: FreshProject
let oldest: FreshProject
beforeAll(async () => {
  ;[project, oldest] = await Promise.all([
    createFixtureProject('cypress-15', 'cypress', ['@caseward/cypress']),
    createFixtureProject('cypress-12', 'cypress', ['@caseward/cypress']),
  ])
})
afterEach(() => rm(join(project.folder, '.caseward'), { recursive: true, force: true }))
afterAll(() => Promise.all([project.remove(), oldest.remove()]))

type Settings = Record<string, string>

const start = (recording: string, env: Settings, player = 'play.mjs') =>
  project.start('node', [player, `recordings/${recording}.json`], env)
const play = (...args: Parameters<typeof start>) => start(...args).ended

const expected = {
  'WEB-1': 'passed',
  'WEB-2': 'failed',
  'WEB-3': 'passed',
  'WEB-4': 'not_tested',
  'WEB-5': 'passed',
  'WEB-6': 'passed',
  'WEB-7': 'failed',
  'WEB-8': 'failed',
  'WEB-9': 'blocked',
  'WEB-10': 'blocked',
  'WEB-11': 'passed',
  'WEB-12': 'failed',
}

describe('Cypress', () => {
  it.each([
    ['12', 'play.mjs'],
    ['13', 'play.mjs'],
    ['13', 'play.cjs'],
  ])('stores the status of each test of version %s from %s', async (version, player) => {
    const scenario = await createScenario(server)
    const { exitCode, stdout } = await play(version, scenario.env, player)
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' })
    expect(await scenario.statuses()).toEqual(expected)
  })

  it.each(['12', '13'])('stores the errors of version %s', async (version) => {
    const scenario = await createScenario(server)
    const { stderr } = await play(version, scenario.env)
    const results = await scenario.results()
    const note = (id: string) => results.get(id)?.note
    expect(note('WEB-2')).toMatch(
      /^Failed in 3 attempts\.\n\n[^]*Attempt 3: AssertionError: expected 3 to equal 4\n +at/,
    )
    expect(note('WEB-3')).toMatch(/^Flaky: passed after 1 of 2 attempts failed\./)
    expect(note('WEB-9')).toMatch(/^Error: no session\n\nBecause this error occurred during a `before each` hook/)
    expect(note('WEB-12')).toMatch(/^2 attempts\.\n\nError: once\n/)
    expect(results.get('WEB-1')?.elapsed).toBe(1)
    expect(stderr).toMatch(/\d+ tests? match(?:es)? no test case(?:, and \d+ of them failed)?: http/)
    expect(stderr).toContain('WEB-999')
    expect(stderr).toContain('the suite is incomplete: 1 error outside of tests (cypress/e2e/broken.cy.js: Webpack')
  })

  it.each([
    ['other handlers call its functions', { OWN: '1' }],
    ['another plugin has replaced its handler for after:spec', { SILENT: '1' }],
  ])('stores the status of each test when %s', async (_, settings: Settings) => {
    const scenario = await createScenario(server)
    await play('13', { ...scenario.env, ...settings })
    expect(await scenario.statuses()).toEqual(expected)
  })

  it.each(['broken', 'no-run'])('reports the suite as incomplete when no test ran: %s', async (recording) => {
    const scenario = await createScenario(server)
    const { exitCode, stderr } = await play(recording, scenario.env)
    expect(exitCode).toBe(0)
    expect(stderr).toContain('the suite is incomplete: 1 error outside of tests')
    expect(await scenario.statuses()).toEqual({})
  })

  it('keeps the run in progress when Cypress has canceled it', async () => {
    const scenario = await createScenario(server)
    const shard = { SERVICE_RUN_KEY: '42', SERVICE_SHARD: '1', SERVICE_EXPECTED_SHARDS: '1' }
    const env = {
      ...shard,
      SERVICE_URL: server.url,
      SERVICE_TOKEN: scenario.token,
      SERVICE_PROJECT_ID: scenario.projectId,
    }
    const status = async () => await findBuildStatus(scenario)
    await play('canceled', env)
    expect(await status()).toBe('in_progress')
    await play('one', env)
    expect(await status()).toBe('completed')
  })

  it('uploads nothing in “cypress open”', async () => {
    const scenario = await createScenario(server)
    const { stderr } = await play('13', { ...scenario.env, OPEN: '1' })
    expect(stderr).toBe('')
    expect(await scenario.statuses()).toEqual({})
    expect(existsSync(join(project.folder, '.caseward'))).toBe(false)
  })

  it('saves the specs before SIGKILL and sends them with the next run', async () => {
    const scenario = await createScenario(server)
    const running = start('13', { ...scenario.env, STOP_AFTER: '1' })
    await running.prints('stopped')
    running.child.kill('SIGKILL')
    await running.ended
    await play('one', scenario.env)
    const { 'WEB-12': _lastSpec, ...saved } = expected
    expect(await scenario.statuses()).toEqual(saved)
  })

  it('keeps the exit code when the server is unreachable, and sends the results with the next run', async () => {
    const scenario = await createScenario(server)
    const proxy = await startProxy(server.url)
    await proxy.close()
    const env = { ...scenario.env, SERVICE_URL: proxy.url }
    const { exitCode, stderr } = await play('13', env)
    expect(exitCode).toBe(0)
    expect(stderr).toContain('nothing was stored')
    await proxy.reopen()
    await play('one', env, 'play.cjs')
    await proxy.close()
    expect(await scenario.statuses()).toEqual(expected)
  })

  it('fails the run with the option strict when results were not stored', async () => {
    const scenario = await createScenario(server)
    const strict = { ...scenario.env, OPTIONS: '{"strict":true}' }
    for (const player of ['play.mjs', 'play.cjs']) {
      expect((await play('one', { ...strict, SERVICE_TOKEN: 'cwc_wrong' }, player)).exitCode).toBe(1)
      expect((await play('one', strict, player)).exitCode).toBe(0)
    }
  })
})

/** Finds the status of the run that was created for the build. */
async function findBuildStatus({ projectId, runId, token }: Scenario): Promise<string | undefined> {
  const { body } = await server.request<{ data: Run[] }>('GET', `/v1/projects/${projectId}/runs`, { token })
  return body.data.find(({ id }) => id !== runId)?.status
}

describe('the types of @caseward/cypress', () => {
  const compile = ({ run }: FreshProject, config: string) => run(tsc, ['-p', config])

  it.each([
    ['15', () => project],
    ['12', () => oldest],
  ])('are compatible with a configuration of Cypress %s as ES module and CommonJS', async (_, getProject) => {
    expect(await compile(getProject(), 'tsconfig.json')).toMatchObject({ exitCode: 0, stdout: '' })
  })

  it('compile without dependencies when library types are checked', async () => {
    expect(await compile(project, 'tsconfig.types.json')).toMatchObject({ exitCode: 0, stdout: '' })
  })
})

// Results that Cypress has recorded. They are not in the repository because their license does not allow it.
const recordingsSetting = process.env['CYPRESS_RECORDINGS']
const folder = resolve(repository, recordingsSetting ?? '../shared/cypress')
const hooks = ['failed', 'not_tested', 'failed', 'blocked', 'passed', 'failed']
const recorded: [string, string[]][] = [
  ['12.1.0.e2e-spec-isolation-fails', ['passed', 'passed', 'passed', 'passed', 'failed', 'failed', ...hooks]],
  ['12.1.0.e2e-spec-isolation-failing-with-retries', [...hooks, 'failed', 'passed']],
  ['13.6.0.after-spec', ['failed', 'passed', 'failed', 'blocked']],
  ['13.6.0.module-api', ['passed', 'passed', 'failed', 'failed', 'passed', 'failed', 'blocked']],
]
const files = existsSync(folder) ? (await readdir(folder)).filter((name) => name.endsWith('.json')) : []

interface RecordedRun {
  spec: { relative: string }
  tests: { title: string[] }[]
}

describe('@caseward/cypress with recordings of Cypress', () => {
  const recordingCount =
    files.length === 0
      ? `NOT TESTED: no recordings in ${folder}; set CYPRESS_RECORDINGS to their directory`
      : `${files.length} recordings`
  it.each([recordingCount])('is tested with every recording: %s', () => {
    // oxlint-disable-next-line no-console
    if (files.length === 0) console.warn(recordingCount)
    // A directory that was set explicitly must exist.
    expect(recordingsSetting === undefined || files.length > 0, `there are none in ${recordingsSetting}`).toBe(true)
    expect(files.filter((file) => !recorded.some(([name]) => file.includes(name)))).toEqual([])
  })

  it.each(files)('stores the status of each test of %s', async (file) => {
    const scenario = await createScenario(server)
    const recording = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      runs?: RecordedRun[]
      results?: RecordedRun
    }
    const runs = recording.runs ?? [recording.results ?? { spec: { relative: '' }, tests: [] }]
    // Adds a test case id to each test, because the recordings contain none.
    const tests = runs.flatMap((run) => run.tests)
    for (const [index, test] of tests.entries()) test.title.push(`WEB-${index + 1} ${test.title.pop()}`)
    await writeFile(join(project.folder, 'recordings', file), JSON.stringify({ runs }))
    await play(file.replace(/\.json$/, ''), scenario.env)
    const statuses = recorded.find(([name]) => file.includes(name))?.[1].slice(0, tests.length) ?? []
    const expectedEntries = statuses.map((status, index) => [`WEB-${index + 1}`, status])
    expect(expectedEntries.length).toBe(tests.length)
    expect(await scenario.statuses()).toEqual(Object.fromEntries(expectedEntries))
  })
})

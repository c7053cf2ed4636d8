import { existsSync, readFileSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Run } from '@caseward/contract/runs'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { type FreshProject, createFixtureProject } from './fresh-project.ts'
import { createScenario, type Scenario } from './scenario.ts'
import { startProxy } from './test-proxy.ts'

// Cypress's own program comes from elsewhere than the registry, so it is not run here: what it recorded is played to
// the handlers that the plugin registers, and the plugin is compiled against Cypress's types.
const repository = fileURLToPath(new URL('../..', import.meta.url))
const tsc = join(repository, 'node_modules/.bin/tsc')

let server: TestServer
let project: FreshProject
let oldest: FreshProject
beforeAll(async () => {
  const made = await Promise.all([
    startTestServer(),
    createFixtureProject('cypress-15', 'cypress', ['@caseward/cypress']),
    createFixtureProject('cypress-12', 'cypress', ['@caseward/cypress'], { unpack: true }),
  ])
  ;[server, project, oldest] = made
})
afterEach(() => rm(join(project.folder, '.caseward'), { recursive: true, force: true }))
afterAll(async () => {
  await Promise.all([project.remove(), oldest.remove()])
  await server.close()
})

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
  ])('tells the status of each test of version %s to %s', async (version, player) => {
    const scene = await createScenario(server)
    const { exitCode, stdout } = await play(version, scene.env, player)
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' })
    expect(await scene.statuses()).toEqual(expected)
  })

  it.each(['12', '13'])('says what went wrong in version %s', async (version) => {
    const scene = await createScenario(server)
    const { stderr } = await play(version, scene.env)
    const results = await scene.results()
    const note = (id: string) => results.get(id)?.note
    expect(note('WEB-2')).toMatch(
      /^Failed in 3 attempts\.\n\n[^]*Attempt 3: AssertionError: expected 3 to equal 4\n +at/,
    )
    expect(note('WEB-3')).toMatch(/^Flaky: passed after 1 of 2 attempts failed\./)
    expect(note('WEB-9')).toMatch(/^Error: no session\n\nBecause this error occurred during a `before each` hook/)
    expect(note('WEB-12')).toMatch(/^2 attempts\.\n\nError: once\n/)
    expect(results.get('WEB-1')?.elapsed).toBe(1)
    expect(stderr).toContain('1 test names no test case (“cart > names nothing”)')
    expect(stderr).toContain('WEB-999')
    expect(stderr).toContain('the suite is not complete: 1 error outside of tests (cypress/e2e/broken.cy.js: Webpack')
  })

  it.each([
    ['its functions are called by handlers of somebody else', { OWN: '1' }],
    ['another plugin took the event of each spec', { SILENT: '1' }],
  ])('tells the status of each test when %s', async (_when, settings: Settings) => {
    const scene = await createScenario(server)
    await play('13', { ...scene.env, ...settings })
    expect(await scene.statuses()).toEqual(expected)
  })

  it.each(['broken', 'no-run'])('never calls a run green in which no test ran: %s', async (recording) => {
    const scene = await createScenario(server)
    const { exitCode, stderr } = await play(recording, scene.env)
    expect(exitCode).toBe(0)
    expect(stderr).toContain('the suite is not complete: 1 error outside of tests')
    expect(await scene.statuses()).toEqual({})
  })

  it('leaves the run open when Cypress cancelled it', async () => {
    const scene = await createScenario(server)
    const shard = { SERVICE_RUN_KEY: '42', SERVICE_SHARD: '1', SERVICE_EXPECTED_SHARDS: '1' }
    const env = { ...shard, SERVICE_URL: server.url, SERVICE_TOKEN: scene.token, SERVICE_PROJECT_ID: scene.projectId }
    const status = async () => await statusOfOther(scene)
    await play('cancelled', env)
    expect(await status()).toBe('in_progress')
    await play('one', env)
    expect(await status()).toBe('completed')
  })

  it('uploads nothing in “cypress open”', async () => {
    const scene = await createScenario(server)
    const { stderr } = await play('13', { ...scene.env, OPEN: '1' })
    expect(stderr).toBe('')
    expect(await scene.statuses()).toEqual({})
    expect(existsSync(join(project.folder, '.caseward'))).toBe(false)
  })

  it('keeps the specs that ran before a kill, and sends them with the next run', async () => {
    const scene = await createScenario(server)
    const running = start('13', { ...scene.env, STOP_AFTER: '1' })
    await running.prints('stopped')
    running.child.kill('SIGKILL')
    await running.ended
    await play('one', scene.env)
    const { 'WEB-12': _notReached, ...reached } = expected
    expect(await scene.statuses()).toEqual(reached)
  })

  it('leaves the exit code as it is when the server is out of reach, and sends with the next run', async () => {
    const scene = await createScenario(server)
    const way = await startProxy(server.url)
    await way.close()
    const env = { ...scene.env, SERVICE_URL: way.url }
    const { exitCode, stderr } = await play('13', env)
    expect(exitCode).toBe(0)
    expect(stderr).toContain('nothing was stored')
    await way.reopen()
    await play('one', env, 'play.cjs')
    await way.close()
    expect(await scene.statuses()).toEqual(expected)
  })

  it('fails the run when results were not stored and strictness is asked for', async () => {
    const scene = await createScenario(server)
    const strict = { ...scene.env, OPTIONS: '{"strict":true}' }
    for (const player of ['play.mjs', 'play.cjs']) {
      expect((await play('one', { ...strict, SERVICE_TOKEN: 'cwc_wrong' }, player)).exitCode).toBe(1)
      expect((await play('one', strict, player)).exitCode).toBe(0)
    }
  })
})

/** The status of the run that was made, beside the one that the scene came with. */
async function statusOfOther({ projectId, runId, token }: Scenario): Promise<string | undefined> {
  const { body } = await server.request<{ data: Run[] }>('GET', `/v1/projects/${projectId}/runs`, { token })
  return body.data.find(({ id }) => id !== runId)?.status
}

describe('the types', () => {
  const compile = ({ run }: FreshProject, config: string) => run(tsc, ['-p', config])

  it.each([
    ['15', () => project],
    ['12', () => oldest],
  ])('are those that a configuration of Cypress %s wants, as ES module and CommonJS', async (_version, made) => {
    expect(await compile(made(), 'tsconfig.json')).toMatchObject({ exitCode: 0, stdout: '' })
  })

  it('compile by themselves, also where those of libraries are checked', async () => {
    expect(await compile(project, 'tsconfig.types.json')).toMatchObject({ exitCode: 0, stdout: '' })
  })
})

// What Cypress really recorded, kept outside the repository because it is not ours to publish.
const named = process.env['CYPRESS_RECORDINGS']
const folder = resolve(repository, named ?? '../shared/cypress')
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

describe('real recordings', () => {
  const whatIsTested =
    files.length === 0
      ? `LEFT OUT: there are no recordings of Cypress at ${folder}; CYPRESS_RECORDINGS names their folder`
      : 'are all known'
  it.each([whatIsTested])('%s', () => {
    // oxlint-disable-next-line no-console
    if (files.length === 0) console.warn(whatIsTested)
    // Whoever names a folder means one that is there.
    expect(named === undefined || files.length > 0, `there are none in ${named}`).toBe(true)
    expect(files.filter((file) => !recorded.some(([name]) => file.includes(name)))).toEqual([])
  })

  it.each(files)('%s is told test by test', async (file) => {
    const scene = await createScenario(server)
    const recording = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      runs?: RecordedRun[]
      results?: RecordedRun
    }
    const runs = recording.runs ?? [recording.results ?? { spec: { relative: '' }, tests: [] }]
    // They name no test cases: each test gets one of its own, in their order.
    const tests = runs.flatMap((run) => run.tests)
    for (const [index, test] of tests.entries()) test.title.push(`WEB-${index + 1} ${test.title.pop()}`)
    await writeFile(join(project.folder, 'recordings', file), JSON.stringify({ runs }))
    await play(file.replace(/\.json$/, ''), scene.env)
    const statuses = recorded.find(([name]) => file.includes(name))?.[1].slice(0, tests.length) ?? []
    const wanted = statuses.map((status, index) => [`WEB-${index + 1}`, status])
    expect(wanted.length).toBe(tests.length)
    expect(await scene.statuses()).toEqual(Object.fromEntries(wanted))
  })
})

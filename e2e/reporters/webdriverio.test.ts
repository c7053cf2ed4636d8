import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import { useTestServer } from '@caseward/test-support/test-server'
import { type Driver, skipCompiler, startChromedriver, startEmptyDriver } from './drivers.ts'
import { type FreshProject, createFixtureProject, type Running } from './fresh-project.ts'
import { createScenario } from './scenario.ts'
import { startProxy } from './test-proxy.ts'

const server = useTestServer()
let project: FreshProject
let withBrowser: Driver
let withoutBrowser: Driver
beforeAll(async () => {
  ;[project, withBrowser, withoutBrowser] = await Promise.all([
    createFixtureProject('webdriverio-9', 'webdriverio', ['@caseward/webdriverio']),
    startChromedriver(),
    startEmptyDriver(),
  ])
}, INSTALL_TIMEOUT_MS)
afterAll(async () => {
  await withBrowser.stop()
  await withoutBrowser.stop()
  await project.remove()
})

/** Settings of the fixture and of Caseward. */
type Environment = Record<string, string>

/** Creates a working directory, so that several suites can run at the same time: WebdriverIO takes long to start. */
async function createWorkspace(name: string) {
  const folder = join(project.folder, name)
  // A second attempt at a test begins anew.
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  for (const part of ['specs', 'standalone', 'wdio.conf.js', 'package.json']) {
    await cp(join(project.folder, part), join(folder, part), { recursive: true })
  }
  const start = (env: Environment, { port, chromium } = withoutBrowser, ...options: string[]): Running => {
    // The suite in a browser runs like a user's suite.
    const compiler = chromium === '' ? skipCompiler(project.folder) : {}
    const settings = { ...compiler, ...env, DRIVER_PORT: String(port), CHROMIUM: chromium }
    return project.start('env', ['-C', folder, 'wdio', 'run', 'wdio.conf.js', ...options], settings)
  }
  return {
    folder,
    start,
    run: (env: Environment, driver?: Driver) => start(env, driver).ended,
    /** Returns the text of all journals in the spool. */
    async spooled(): Promise<string> {
      const spool = join(folder, '.caseward/spool')
      const names = (await readdir(spool).catch(() => [])).filter((file) => file.endsWith('.jsonl'))
      return (await Promise.all(names.map((file) => readFile(join(spool, file), 'utf8')))).join('')
    },
  }
}

/** Removes what differs between runs from WebdriverIO's output. */
const normalize = (text: string) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d\d:\d\d:\d\d|\/wdio-\w+/g, '')
    .split('\n')
    .toSorted()

describe.concurrent('WebdriverIO', () => {
  it('stores the status of each test in a real browser', async () => {
    const scenario = await createScenario(server)
    const { run, spooled } = await createWorkspace('statuses')
    const { exitCode, stdout, stderr } = await run(scenario.env, withBrowser)
    expect(exitCode).toBe(1)
    expect(stdout).toContain('"DotReporter" Reporter:')
    expect(await scenario.statuses()).toEqual({
      'WEB-1': 'passed',
      'WEB-2': 'failed',
      'WEB-3': 'not_tested',
      'WEB-4': 'not_tested',
      'WEB-5': 'not_tested',
      'WEB-6': 'failed',
      'WEB-7': 'passed',
      'WEB-8': 'passed',
      'WEB-9': 'passed',
      'WEB-10': 'passed',
      'WEB-11': 'failed',
      'WEB-12': 'failed',
      'WEB-13': 'failed',
      'WEB-14': 'blocked',
      'WEB-16': 'blocked',
      'WEB-17': 'passed',
      'WEB-18': 'blocked',
      'WEB-19': 'blocked',
      'WEB-20': 'passed',
      'WEB-21': 'blocked',
      'WEB-22': 'passed',
      'WEB-23': 'blocked',
      'WEB-25': 'passed',
      'WEB-26': 'retest',
    })
    const results = await scenario.results()
    const note = (id: string) => results.get(id)?.note
    expect(note('WEB-2')).toMatch(/'shop' == 'bakery'\n[^]*statuses\.js/)
    expect((await scenario.evidence('a page > WEB-2 has the wrong title')).files).toEqual(['1 screenshot.png complete'])
    expect(note('WEB-10')).toMatch(/^Flaky: passed after 1 of 2 attempts failed\.\n\nAttempt 1: .*call 1/)
    expect(note('WEB-11')).toMatch(/^Failed in 2 attempts\./)
    expect(note('WEB-13')).toMatch(/^specs\/statuses\.js > WEB-12 by card > WEB-13 adds up: .*falsy/)
    expect(note('WEB-14')).toMatch(/^"before all" hook for a hook before all fails: no database\n/)
    expect(note('WEB-23')).toMatch(/^"before all" hook for a hook runs out of time: Timeout of 50ms exceeded/)
    expect(stderr).toMatch(/\d+ tests? match(?:es)? no test case(?:, and \d+ of them failed)?: http/)
    expect(stderr).toContain('WEB-999')
    expect(stderr).toContain('the suite is incomplete: 4 errors outside of tests')
    expect(stderr).toContain("specs/does-not-load.js: Error: Cannot find module './is-not-there.js'")
    expect(stderr).toContain('specs/crashes.js: The worker was terminated by SIGKILL before all of its tests had run.')
    expect(stderr).toContain('"after each" hook for a hook after each fails: not tidy')
    expect(await spooled()).toBe('')
  })

  it('stores the worst result of several browsers, and combines the attempts of a retried file', async () => {
    const scenario = await createScenario(server)
    const { run } = await createWorkspace('browsers')
    const settings = { SPECS: './standalone/in-each-browser.js', BROWSERS: '2', SPEC_FILE_RETRIES: '1' }
    expect((await run({ ...scenario.env, ...settings })).exitCode).toBe(1)
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'failed', 'WEB-3': 'passed' })
    const results = await scenario.results()
    expect(results.get('WEB-2')?.note).toContain('Failed in 2 attempts.')
    expect(results.get('WEB-3')?.note).toContain('Flaky: passed after 1 of 2 attempts failed.')
  })

  it('keeps exit code and output when the server is unreachable, and sends the results with the next run', async () => {
    const scenario = await createScenario(server)
    const { run, spooled } = await createWorkspace('outage')
    const proxy = await startProxy(server.url)
    await proxy.close()
    const suite = { SPECS: './standalone/fails.js', REPORTER: 'dot' }
    const withoutReporter = await run({ ...suite, WITHOUT_CASEWARD: '1' })
    const env = { ...scenario.env, SERVICE_URL: proxy.url }
    const both = await run({ ...env, ...suite })
    expect(normalize(both.stdout)).toEqual(normalize(withoutReporter.stdout))
    expect(both.exitCode).toBe(withoutReporter.exitCode)
    expect(both.stderr).toContain('nothing was stored')
    expect(await spooled()).toContain('WEB-2 fails')
    await proxy.reopen()
    const { exitCode, stderr } = await run({ ...env, SPECS: './specs/does-not-load.js' })
    await proxy.close()
    expect(exitCode).toBe(1)
    expect(stderr).toContain('the suite is incomplete')
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'failed' })
    expect(await spooled()).toBe('')
  })

  it('saves the results before SIGKILL or SIGINT, and sends them with the next run, in which no browser starts', async () => {
    const scenario = await createScenario(server)
    const { run, start, spooled } = await createWorkspace('stopped')
    const stop = async (first: string, signal: NodeJS.Signals) => {
      const running = start({ ...scenario.env, SPECS: './standalone/waits.js', FIRST: first })
      await running.prints('it has begun')
      running.child.kill(signal)
      await running.ended
    }
    await Promise.all([stop('11', 'SIGKILL'), stop('21', 'SIGINT')])
    expect(await spooled()).toMatch(/WEB-11 passes[^]*WEB-21 passes|WEB-21 passes[^]*WEB-11 passes/)
    const nowhere = { port: 9, chromium: '', stop: () => Promise.resolve() }
    const { exitCode, stderr } = await run({ ...scenario.env, SPECS: './standalone/passes.js' }, nowhere)
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/the suite is incomplete: 1 error outside of tests \(standalone\/passes\.js: /)
    const statuses = { 'WEB-11': 'passed', 'WEB-21': 'passed', 'WEB-22': 'retest' }
    expect(await scenario.statuses()).toEqual(statuses)
    expect(await spooled()).toBe('')
  })

  it('does nothing in watch mode', async () => {
    const scenario = await createScenario(server)
    const { start, spooled } = await createWorkspace('watched')
    const running = start({ ...scenario.env, SPECS: './standalone/passes.js' }, withoutBrowser, '--watch')
    await running.prints('PASSED')
    running.child.kill('SIGKILL')
    expect((await running.ended).stderr).not.toContain('Caseward')
    expect([await scenario.statuses(), await spooled()]).toEqual([{}, ''])
  })

  it('stores the results when the spool cannot be written', async () => {
    const scenario = await createScenario(server)
    const { run, folder } = await createWorkspace('unwritable')
    await writeFile(join(folder, '.caseward'), '')
    const { exitCode, stderr } = await run({ ...scenario.env, SPECS: './standalone/passes.js' })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining('stored 1 result (1 passed)') })
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed' })
    expect(await scenario.tests()).toMatchObject([{ name: 'WEB-1 passes', variant: 'chrome' }])
  })

  it('fails the suite with the option strict when results were not stored', async () => {
    const scenario = await createScenario(server)
    const { run } = await createWorkspace('strict')
    const strict = {
      ...scenario.env,
      SERVICE_TOKEN: 'cwc_wrong',
      SPECS: './standalone/passes.js',
      OPTIONS: '{"strict":true}',
    }
    const { exitCode, stdout, stderr } = await run(strict)
    expect(exitCode).toBe(1)
    expect(stdout + stderr).toContain('“strict” is set')
  })
})

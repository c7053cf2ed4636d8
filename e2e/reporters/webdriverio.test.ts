import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { type Driver, startChromedriver, startEmptyDriver } from './drivers.ts'
import { type FreshProject, createFixtureProject, type Running } from './fresh-project.ts'
import { createScenario } from './scenario.ts'
import { startProxy } from './test-proxy.ts'

let server: TestServer
let project: FreshProject
let withBrowser: Driver
let withoutBrowser: Driver
beforeAll(async () => {
  const made = await Promise.all([
    startTestServer(),
    createFixtureProject('webdriverio-9', 'webdriverio', ['@caseward/webdriverio']),
    startChromedriver(),
    startEmptyDriver(),
  ])
  ;[server, project, withBrowser, withoutBrowser] = made
}, INSTALL_TIMEOUT_MS)
afterAll(async () => {
  await withBrowser.stop()
  await withoutBrowser.stop()
  await project.remove()
  await server.close()
})

/** The fixture's settings, and ours. */
type Environment = Record<string, string>

/**
 * WebdriverIO makes each of its processes load a compiler for TypeScript first, unless it finds it among Node's options.
 * These suites need none, and it costs a third of their time; that in a browser is run as users run theirs.
 */
function quick(chromium: string): Environment {
  const compiler = pathToFileURL(join(project.folder, 'node_modules/tsx/dist/loader.mjs')).href
  return chromium === '' ? { NODE_OPTIONS: `--title=${compiler}` } : {}
}

/** A working directory of its own, so that suites can run at the same time: WebdriverIO takes long to start. */
async function workspace(name: string) {
  const folder = join(project.folder, name)
  await mkdir(folder)
  for (const part of ['specs', 'alone', 'wdio.conf.js', 'package.json']) {
    await cp(join(project.folder, part), join(folder, part), { recursive: true })
  }
  const start = (env: Environment, { port, chromium } = withoutBrowser, ...options: string[]): Running => {
    const settings = { ...quick(chromium), ...env, DRIVER_PORT: String(port), CHROMIUM: chromium }
    return project.start('env', ['-C', folder, 'wdio', 'run', 'wdio.conf.js', ...options], settings)
  }
  return {
    folder,
    start,
    run: (env: Environment, driver?: Driver) => start(env, driver).ended,
    /** All that waits to be sent, as text. */
    async spooled(): Promise<string> {
      const spool = join(folder, '.caseward/spool')
      const names = (await readdir(spool).catch(() => [])).filter((file) => file.endsWith('.jsonl'))
      return (await Promise.all(names.map((file) => readFile(join(spool, file), 'utf8')))).join('')
    },
  }
}

/** WebdriverIO's output without what differs from run to run. */
const steady = (text: string) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d\d:\d\d:\d\d|\/wdio-\w+/g, '')
    .split('\n')
    .toSorted()

describe.concurrent('WebdriverIO', { timeout: 120_000 }, () => {
  it('tells the status of each test, in a real browser', async () => {
    const scene = await createScenario(server)
    const { run, spooled } = await workspace('statuses')
    const { exitCode, stdout, stderr } = await run(scene.env, withBrowser)
    expect(exitCode).toBe(1)
    expect(stdout).toContain('"DotReporter" Reporter:')
    expect(await scene.statuses()).toEqual({
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
      'WEB-12': 'passed',
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
    const results = await scene.results()
    const note = (id: string) => results.get(id)?.note
    expect(note('WEB-2')).toMatch(/'shop' == 'bakery'\n[^]*statuses\.js/)
    expect(note('WEB-10')).toMatch(/^Flaky: passed after 1 of 2 attempts failed\.\n\nAttempt 1: .*call 1/)
    expect(note('WEB-11')).toMatch(/^Failed in 2 attempts\./)
    expect(note('WEB-13')).toMatch(/^WEB-12 by card > WEB-13 adds up: .*falsy/)
    expect(note('WEB-14')).toMatch(/^"before all" hook for a hook before all fails: no database\n/)
    expect(note('WEB-23')).toMatch(/^"before all" hook for a hook runs out of time: Timeout of 50ms exceeded/)
    expect(stderr).toContain('1 test names no test case (“a page > names nothing”)')
    expect(stderr).toContain('WEB-999')
    expect(stderr).toContain('the suite is not complete: 4 errors outside of tests')
    expect(stderr).toContain("specs/does-not-load.js: Error: Cannot find module './is-not-there.js'")
    expect(stderr).toContain('specs/crashes.js: The worker was ended by SIGKILL before all of its tests had run.')
    expect(stderr).toContain('"after each" hook for a hook after each fails: not tidy')
    expect(await spooled()).toBe('')
  })

  it('lets the worst of several browsers speak, and folds the attempts of a file that runs again', async () => {
    const scene = await createScenario(server)
    const { run } = await workspace('browsers')
    const settings = { SPECS: './alone/in-each-browser.js', BROWSERS: '2', SPEC_FILE_RETRIES: '1' }
    expect((await run({ ...scene.env, ...settings })).exitCode).toBe(1)
    expect(await scene.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'failed', 'WEB-3': 'passed' })
    const results = await scene.results()
    expect(results.get('WEB-2')?.note).toContain('Failed in 2 attempts.')
    expect(results.get('WEB-3')?.note).toContain('Flaky: passed after 1 of 2 attempts failed.')
  })

  it('leaves exit code and output as they are when the server is out of reach, and sends with the next run', async () => {
    const scene = await createScenario(server)
    const { run, spooled } = await workspace('outage')
    const way = await startProxy(server.url)
    await way.close()
    const suite = { SPECS: './alone/fails.js', REPORTER: 'dot' }
    const alone = await run({ ...suite, WITHOUT_CASEWARD: '1' })
    const env = { ...scene.env, SERVICE_URL: way.url }
    const both = await run({ ...env, ...suite })
    expect(steady(both.stdout)).toEqual(steady(alone.stdout))
    expect(both.exitCode).toBe(alone.exitCode)
    expect(both.stderr).toContain('nothing was stored')
    expect(await spooled()).toContain('WEB-2 fails')
    await way.reopen()
    const { exitCode, stderr } = await run({ ...env, SPECS: './specs/does-not-load.js' })
    await way.close()
    expect(exitCode).toBe(1)
    expect(stderr).toContain('the suite is not complete')
    expect(await scene.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'failed' })
    expect(await spooled()).toBe('')
  })

  it('keeps what ran before it was killed or interrupted, and sends it at the latest with the next run', async () => {
    const scene = await createScenario(server)
    const { run, start, spooled } = await workspace('stopped')
    const stop = async (first: string, signal: NodeJS.Signals) => {
      const running = start({ ...scene.env, SPECS: './alone/waits.js', FIRST: first })
      await running.prints('it has begun')
      running.child.kill(signal)
      await running.ended
    }
    await Promise.all([stop('11', 'SIGKILL'), stop('21', 'SIGINT')])
    expect(await spooled()).toMatch(/WEB-11 passes[^]*WEB-21 passes|WEB-21 passes[^]*WEB-11 passes/)
    await run({ ...scene.env, SPECS: './alone/passes.js' })
    const statuses = { 'WEB-1': 'passed', 'WEB-11': 'passed', 'WEB-21': 'passed', 'WEB-22': 'retest' }
    expect(await scene.statuses()).toEqual(statuses)
    expect(await spooled()).toBe('')
  })

  it('does nothing in watch mode', async () => {
    const scene = await createScenario(server)
    const { start, spooled } = await workspace('watched')
    const running = start({ ...scene.env, SPECS: './alone/passes.js' }, withoutBrowser, '--watch')
    await running.prints('PASSED')
    running.child.kill('SIGKILL')
    expect((await running.ended).stderr).not.toContain('Caseward')
    expect([await scene.statuses(), await spooled()]).toEqual([{}, ''])
  })

  it('stores results also where it cannot keep them', async () => {
    const scene = await createScenario(server)
    const { run, folder } = await workspace('unwritable')
    await writeFile(join(folder, '.caseward'), '')
    const { exitCode, stderr } = await run({ ...scene.env, SPECS: './alone/passes.js' })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining('stored 1 result (1 passed)') })
    expect(await scene.statuses()).toEqual({ 'WEB-1': 'passed' })
  })

  it('fails the suite when results were not stored and strictness is asked for', async () => {
    const scene = await createScenario(server)
    const { run } = await workspace('strict')
    const strict = { ...scene.env, SERVICE_TOKEN: 'cwc_wrong', SPECS: './alone/passes.js', OPTIONS: '{"strict":true}' }
    const { exitCode, stdout, stderr } = await run(strict)
    expect(exitCode).toBe(1)
    expect(stdout + stderr).toContain('“strict” is set')
  })

  it('never calls a suite green that got no browser', async () => {
    const scene = await createScenario(server)
    const { run } = await workspace('no-browser')
    const nowhere = { port: 9, chromium: '', stop: () => Promise.resolve() }
    const { exitCode, stderr } = await run({ ...scene.env, SPECS: './alone/passes.js' }, nowhere)
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/the suite is not complete: 1 error outside of tests \(alone\/passes\.js: /)
    expect(await scene.statuses()).toEqual({})
  })
})

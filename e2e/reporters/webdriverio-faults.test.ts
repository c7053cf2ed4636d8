import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { useTestServer } from '@caseward/test-support/test-server'
import { createScenario } from './scenario.ts'
import { startProxy } from './test-proxy.ts'
import { useWebdriverio } from './webdriverio-scenario.ts'

const server = useTestServer()
const webdriverio = useWebdriverio()

/** Removes what differs between runs from WebdriverIO's output. */
const normalize = (text: string) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d\d:\d\d:\d\d|\/wdio-\w+/g, '')
    .split('\n')
    .toSorted()

describe.concurrent('WebdriverIO that is stopped, watched, drives several browsers or has no server', () => {
  it('keeps exit code and output when the server is unreachable, and sends the results with the next run', async () => {
    const scenario = await createScenario(server)
    const { run, spooled } = await webdriverio.createWorkspace('outage')
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
    const { run, start, spooled } = await webdriverio.createWorkspace('stopped')
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

  it('stores the status of each test in a real browser when it loads its compiler, as for most users', async () => {
    const scenario = await createScenario(server)
    const { run, spooled } = await webdriverio.createWorkspace('compiler')
    const { exitCode } = await run({ ...scenario.env, SPECS: './specs/statuses.js' }, webdriverio.withBrowser)
    expect(exitCode).toBe(1)
    expect(await scenario.statuses()).toMatchObject({ 'WEB-1': 'passed', 'WEB-2': 'failed', 'WEB-10': 'passed' })
    expect(await spooled()).toBe('')
  })

  it('does nothing in watch mode', async () => {
    const scenario = await createScenario(server)
    const { start, spooled } = await webdriverio.createWorkspace('watched')
    const running = start({ ...scenario.env, SPECS: './standalone/passes.js' }, undefined, '--watch')
    await running.prints('PASSED')
    running.child.kill('SIGKILL')
    expect((await running.ended).stderr).not.toContain('Caseward')
    expect([await scenario.statuses(), await spooled()]).toEqual([{}, ''])
  })

  it('stores the results when the spool cannot be written', async () => {
    const scenario = await createScenario(server)
    const { run, folder } = await webdriverio.createWorkspace('unwritable')
    await writeFile(join(folder, '.caseward'), '')
    const { exitCode, stderr } = await run({ ...scenario.env, SPECS: './standalone/passes.js' })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining('stored 1 result (1 passed)') })
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed' })
    expect(await scenario.tests()).toMatchObject([{ name: 'WEB-1 passes', variant: 'chrome' }])
  })

  it('fails the suite with the option strict when results were not stored', async () => {
    const scenario = await createScenario(server)
    const { run } = await webdriverio.createWorkspace('strict')
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

  it('stores the worst result of several browsers, and combines the attempts of a retried file', async () => {
    const scenario = await createScenario(server)
    const { run } = await webdriverio.createWorkspace('browsers')
    const settings = { SPECS: './standalone/in-each-browser.js', BROWSERS: '2', SPEC_FILE_RETRIES: '1' }
    expect((await run({ ...scenario.env, ...settings })).exitCode).toBe(1)
    expect(await scenario.statuses()).toEqual({ 'WEB-1': 'passed', 'WEB-2': 'failed', 'WEB-3': 'passed' })
    const results = await scenario.results()
    expect(results.get('WEB-2')?.note).toContain('Failed in 2 attempts.')
    expect(results.get('WEB-3')?.note).toContain('Flaky: passed after 1 of 2 attempts failed.')
  })
})

import { describe, expect, it } from 'vitest'

import { useSharedServer } from '@caseward/test-support/test-server'
import { createScenario } from './scenario.ts'
import { useWebdriverio } from './webdriverio-scenario.ts'

const server = useSharedServer()
const webdriverio = useWebdriverio()

describe.concurrent('WebdriverIO', () => {
  it('stores the status of each test in a real browser', async () => {
    const scenario = await createScenario(server)
    const { run, spooled } = await webdriverio.createWorkspace('statuses')
    const { exitCode, stdout, stderr } = await run(
      { ...scenario.env, ...webdriverio.withoutCompiler },
      webdriverio.withBrowser,
    )
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
    expect(stderr).toMatch(/specs\/does-not-load\.js: Error.*: Cannot find module '.*\/is-not-there\.js'/)
    // Where xvfb-run is installed, WebdriverIO starts workers by it, and learns the code instead of the signal.
    expect(stderr).toMatch(
      /specs\/crashes\.js: The worker (?:was terminated by SIGKILL|exited with code 137) before all of its tests had run\./,
    )
    expect(stderr).toContain('"after each" hook for a hook after each fails: not tidy')
    expect(await spooled()).toBe('')
  })
})

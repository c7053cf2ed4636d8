import { describe, expect, it } from 'vitest'

import { useSharedServer } from '@caseward/test-support/test-server'
import { usePlaywright } from './playwright-scenario.ts'
import { createScenario } from './scenario.ts'

const server = useSharedServer()
const playwright = usePlaywright()

describe('Playwright', () => {
  it('stores the status and the errors of each attempt', async () => {
    const scenario = await createScenario(server)
    const { exitCode, stderr } = await playwright.run([], { ...scenario.env, TESTS: 'tests' })
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
})

import { beforeAll, describe, expect, it } from 'vitest'

import { useSharedServer } from '@caseward/test-support/test-server'
import type { CommandResult } from './fresh-project.ts'
import { createScenario, type Scenario } from './scenario.ts'
import { JEST_STATUSES } from './suite-statuses.ts'
import { useFixtureProject } from './use-fixture-project.ts'

const server = useSharedServer()
const project = useFixtureProject('jest-30', 'jest', ['@caseward/jest'])

describe('Jest', () => {
  it('stores the status and the errors of each test', async () => {
    const scenario = await createScenario(server)
    const { exitCode, stderr } = await project.run('jest', ['-w', '2', 'suite/'], scenario.env)
    expect(exitCode).toBe(1)
    expect(await scenario.statuses()).toEqual(JEST_STATUSES)
    const results = await scenario.results()
    const note = (id: string) => results.get(id)?.note
    expect(note('WEB-1')).toBeNull()
    expect(note('WEB-2')).toMatch(/expect\(received\).toBe\(expected\)[^]*Expected: "pears"\n[^]*statuses\.test\.js:2:/)
    expect(note('WEB-4')).toBe('Skipped: To do')
    expect(note('WEB-7')).toContain('Exceeded timeout of 50 ms for a test')
    expect(note('WEB-14')).toMatch(/thrown: "a string"/)
    expect(note('WEB-18')).toMatch(/^Flaky: passed after 1 of 2 attempts failed\.\n\nAttempt 1: .*expect/)
    expect(note('WEB-19')).toMatch(/^Failed in 3 attempts\.\n\nAttempt 1:[^]*Attempt 2:[^]*Attempt 3:/)
    expect(note('WEB-22')).toContain('no database\n')
    expect(await scenario.evidence('WEB-2 fails')).toEqual({
      files: ['1 basket.txt complete'],
      steps: [['compares']],
    })
    expect(stderr).toContain('stored 25 results (10 passed, 12 failed, 3 not tested)')
    expect(stderr).toMatch(/\d+ tests? match(?:es)? no test case(?:, and \d+ of them failed)?: http/)
    expect(stderr).toContain('WEB-999')
    expect(stderr).toContain('2 errors outside of tests')
    expect(stderr).toContain("suite/does-not-load.test.js: Cannot find module './is-not-there'")
    expect(stderr).toContain('suite/hooks.test.js: not closed')
  })

  describe('whose worker is killed while another reports an error late', () => {
    let scenario: Scenario
    let result: CommandResult
    beforeAll(async () => {
      scenario = await createScenario(server)
      const files = ['fails-late', 'kills-its-worker', 'passes'].map((name) => `standalone/${name}`)
      result = await project.run('jest', ['-w', '2', '--workerIdleMemoryLimit=1GB', ...files], scenario.env)
    })

    it('stores a failure whose error occurred after the end of the test', async () => {
      expect(result.exitCode).toBe(1)
      const tests = (await scenario.tests()).filter(({ name }) => /^WEB-1[12] /.test(name))
      expect(Object.fromEntries(tests.map(({ name, outcome }) => [name, outcome]))).toEqual({
        'WEB-11 passes, and fails when it is over': 'failed',
        'WEB-12 takes its time': 'passed',
      })
      expect(tests).toHaveLength(2)
    })

    it('stores the test that a killed worker was running as failed, and reports its file as an error', async () => {
      const statuses = { 'WEB-1': 'passed', 'WEB-2': 'failed', 'WEB-31': 'passed' }
      expect(await scenario.statuses()).toEqual({ ...statuses, 'WEB-11': 'failed', 'WEB-12': 'passed' })
      expect((await scenario.results()).get('WEB-2')?.note).toMatch(/^A jest worker process .* was terminated/)
      expect(result.stderr).toContain(
        '1 error outside of tests (standalone/kills-its-worker.test.js: A jest worker process',
      )
    })
  })
})

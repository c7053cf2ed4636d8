import { beforeAll, describe, expect, it } from 'vitest'

import { useSharedServer } from '@caseward/test-support/test-server'
import type { CommandResult } from './fresh-project.ts'
import { createScenario, type Scenario } from './scenario.ts'
import { MOCHA_STATUSES, MOCHA_STATUSES_FROM_TREE } from './suite-statuses.ts'
import { useFixtureProject } from './use-fixture-project.ts'

const server = useSharedServer()
const project = useFixtureProject('mocha-12', 'mocha', ['@caseward/mocha'])

/** Removes what differs between runs from Mocha's output. */
const normalize = (text: string) => text.replaceAll(/\(\d+m?s\)/g, '')

describe('Mocha', () => {
  let reported: Scenario
  let result: CommandResult
  beforeAll(async () => {
    reported = await createScenario(server)
    result = await project.run('mocha', ['suite'], reported.env)
  })

  it('stores the status and the errors of each test', async () => {
    const { exitCode, stderr } = result
    expect(exitCode).toBe(15)
    expect(await reported.statuses()).toEqual({ ...MOCHA_STATUSES, ...MOCHA_STATUSES_FROM_TREE })
    const results = await reported.results()
    const note = (id: string) => results.get(id)?.note
    expect(note('WEB-1')).toBeNull()
    expect(note('WEB-2')).toMatch(
      /Expected values to be strictly equal:[^]*'apples'[^]*'pears'[^]*statuses\.test\.js:4:/,
    )
    expect(note('WEB-6')).toContain('Timeout of 50ms exceeded')
    expect(note('WEB-13')).toContain('a string')
    expect(note('WEB-14')).toContain('+ expected - actual')
    expect(note('WEB-15')).toContain('it came late\n')
    expect(note('WEB-16')).toMatch(/^Flaky: passed after 1 of 2 attempts failed\.\n\nAttempt 1: .*Expected/)
    expect(note('WEB-17')).toMatch(/^Failed in 3 attempts\.\n\nAttempt 1:[^]*Attempt 2:[^]*Attempt 3:/)
    expect(note('WEB-26')).toContain('no database\n')
    expect(note('WEB-28')).toContain('no page\n')
    expect(note('WEB-30')).toContain('not cleaned\n')
    expect(await reported.evidence('WEB-2 fails')).toEqual({
      files: ['1 basket.txt complete'],
      steps: [['compares']],
    })
    expect(stderr).toContain('stored 30 results')
    expect(stderr).toMatch(/\d+ tests? match(?:es)? no test case(?:, and \d+ of them failed)?: http/)
    expect(stderr).toContain('WEB-999')
    expect(stderr).toContain('3 errors outside of tests')
    expect(stderr).toContain('"after all" hook for "WEB-22 is followed by it": not closed')
  })

  it('prints like the spec reporter, and its summary to standard error', async () => {
    const withoutReporter = await project.run('mocha', ['suite', '--reporter', 'spec'])
    expect(result.exitCode).toBe(withoutReporter.exitCode)
    expect(normalize(result.stdout)).toBe(normalize(withoutReporter.stdout))
    expect(withoutReporter.stderr).toBe('')
    expect(result.stderr).toMatch(/^(?:Caseward: .*\n){4}Caseward: 1 file sent\n$/)
  })
})

import { describe, expect, it } from 'vitest'

import { useSharedServer } from '@caseward/test-support/test-server'
import { createScenario } from './scenario.ts'
import { VITEST_ERRORS, VITEST_STATUSES } from './suite-statuses.ts'
import { useFixtureProject } from './use-fixture-project.ts'

const server = useSharedServer()
const project = useFixtureProject('vitest-4', 'vitest', ['@caseward/vitest'])

describe('Vitest', () => {
  it('stores the status and the errors of each attempt', async () => {
    const scenario = await createScenario(server)
    const env = { ...scenario.env, TESTS: 'tests,since-3,since-4,files' }
    const { exitCode, stderr } = await project.run('vitest', ['run', '--pool=forks'], env)
    expect(exitCode).toBe(1)
    expect(await scenario.statuses()).toEqual({
      ...VITEST_STATUSES,
      'WEB-36': 'passed',
      'WEB-37': 'passed',
      'WEB-38': 'passed',
    })
    expect(await scenario.evidence('WEB-38 has files')).toEqual({
      files: expect.arrayContaining(['1 the cart.txt complete', '1 receipt.txt complete']),
      steps: [['pays', 'pays'], []],
    })
    expect(stderr).toMatch(VITEST_ERRORS)
    const results = await scenario.results()
    const note = (id: string) => results.get(id)?.note
    expect(note('WEB-2')).toMatch(
      /^AssertionError: expected 'a cart' to be 'an order'.*\nExpected: "an order"\nReceived: "a cart"\n.*statuses\.test\.ts:5:/,
    )
    expect(note('WEB-4')).toBe('Skipped: To do')
    expect(note('WEB-5')).toBe('Skipped: no printer')
    expect(note('WEB-6')).toMatch(/^Test timed out in 50ms/)
    expect(note('WEB-13')).toMatch(/no answer\n[^]*the line is cut/)
    expect(note('WEB-14')).toMatch(/^a string/)
    expect(note('WEB-22')).toMatch(
      /^Flaky: passed after 2 of 3 attempts failed\.[^]*Attempt 1: AssertionError: which try: expected 1 [^]*Attempt 2: AssertionError: which try: expected 2 /,
    )
    expect(note('WEB-23')).toMatch(/^Failed in 2 attempts\.[^]*Attempt 1: try 1\n[^]*Attempt 2: try 2\n/)
    expect(note('WEB-25')).toMatch(/^Ran 3 times\.\n\nAssertionError: expected 2 not to be 2/)
    expect(note('WEB-26')).toMatch(/^no database\n/)
    expect(note('WEB-32')).toMatch(/^no server\n/)
    expect(stderr).toMatch(/\d+ tests? match(?:es)? no test case(?:, and \d+ of them failed)?: http/)
    expect(stderr).toContain('1 test case is not in the run')
    expect(stderr).toContain('WEB-999')
    expect(stderr).not.toContain('ABC-1')
  })
})

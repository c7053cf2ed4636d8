import { beforeAll, describe, expect, it } from 'vitest'

import { useSharedServer } from '@caseward/test-support/test-server'
import type { CommandResult } from './fresh-project.ts'
import { createScenario, type Scenario } from './scenario.ts'
import { useFixtureProject } from './use-fixture-project.ts'

const server = useSharedServer()
const project = useFixtureProject('node-test', 'node-test', ['@caseward/node-test'])

const specReporter = ['--test', '--test-reporter=spec', '--test-reporter-destination=stdout']
const casewardReporter = ['--test-reporter=@caseward/node-test', '--test-reporter-destination=stdout']
const suite = [
  'tests/statuses',
  'tests/parallel',
  'tests/does-not-load',
  'tests/late-error',
  'tests/web-32',
  'tests/exits',
]
const files = suite.map((name) => `${name}.test.js`)

describe('node --test', () => {
  let reported: Scenario
  let result: CommandResult
  beforeAll(async () => {
    reported = await createScenario(server)
    const args = [...specReporter, ...casewardReporter, '--test-concurrency=4', ...files]
    result = await project.run('node', args, reported.env)
  })

  it('stores the status of each test', async () => {
    expect(result.exitCode).toBe(1)
    expect(await reported.statuses()).toEqual({
      'WEB-1': 'passed',
      'WEB-2': 'failed',
      'WEB-3': 'not_tested',
      'WEB-4': 'not_tested',
      'WEB-5': 'not_tested',
      'WEB-6': 'not_tested',
      'WEB-7': 'failed',
      'WEB-8': 'passed',
      'WEB-9': 'passed',
      'WEB-10': 'passed',
      'WEB-11': 'passed',
      'WEB-12': 'failed',
      'WEB-13': 'passed',
      'WEB-14': 'passed',
      'WEB-15': 'failed',
      'WEB-16': 'blocked',
      'WEB-17': 'blocked',
      'WEB-18': 'failed',
      'WEB-19': 'failed',
      'WEB-20': 'passed',
      'WEB-21': 'failed',
      'WEB-22': 'passed',
      'WEB-23': 'failed',
      'WEB-24': 'passed',
      'WEB-25': 'failed',
      'WEB-26': 'failed',
      'WEB-27': 'passed',
      'WEB-28': 'passed',
      'WEB-29': 'passed',
      'WEB-31': 'passed',
      'WEB-32': 'passed',
      'WEB-33': 'passed',
    })
  })

  it('stores the errors of tests and hooks, and prints unknown test case ids', async () => {
    const results = await reported.results()
    const note = (id: string) => results.get(id)?.note
    expect(note('WEB-2')).toMatch(/Expected values to be strictly equal:\n\n1 !== 2\n[^]*statuses\.test\.js/)
    expect(await reported.evidence('WEB-2 fails')).toEqual({
      files: ['1 basket.txt complete'],
      steps: [['compares']],
    })
    expect(note('WEB-5')).toMatch(/^Skipped: next week\n\n.*Failed\n/)
    expect(note('WEB-6')).toBe('Skipped: no printer')
    expect(note('WEB-7')).toBe('test timed out after 50ms')
    expect(note('WEB-12')).toBe('a string')
    expect(note('WEB-15')).toContain('checkout > WEB-15 adds up: ')
    expect(note('WEB-16')).toMatch(/^failed running before hook: no database\n/)
    expect(note('WEB-18')).toMatch(/^failed running beforeEach hook: no page\n/)
    expect(result.stderr).toMatch(/\d+ tests? match(?:es)? no test case(?:, and \d+ of them failed)?: http/)
    expect(result.stderr).toContain('WEB-999')
  })

  it('stores why a file failed whose tests have not failed, and why a block did', async () => {
    expect(result.stderr).toContain('the suite is incomplete: 4 errors outside of tests')
    expect(await reported.suiteErrors()).toEqual([
      expect.stringMatching(/^a hook after all fails: failed running after hook: not closed/),
      expect.stringMatching(/^tests\/does-not-load\.test\.js: Error \[ERR_MODULE_NOT_FOUND\]/),
      'tests/exits.test.js: The file exited with code 3.',
      expect.stringMatching(/^tests\/late-error\.test\.js: Error: A resource generated asynchronous activity/),
    ])
  })

  it('stores tests that failed by themselves beside their subtests, and errors of blocks', async () => {
    const scenario = await createScenario(server)
    await project.run('node', [...casewardReporter, '--test', 'tests/parents.test.js'], scenario.env)
    expect(await scenario.outcomes()).toEqual({
      'asserts after its parts': 'failed',
      'asserts after its parts > part': 'passed',
      'asserts after a part that fails': 'failed',
      'asserts after a part that fails > part': 'failed',
      'cleans up after its parts': 'failed',
      'cleans up after its parts > part': 'passed',
      'plans more parts': 'failed',
      'plans more parts > part': 'passed',
      'runs out of time': 'failed',
      'runs out of time > part': 'passed',
      'runs out of time > slow part': 'blocked',
      'outermost > middle': 'failed',
      'outermost > middle > part': 'passed',
      'does not wait > for its part': 'failed',
      'does not wait > for its part > of parts': 'passed',
      'only a part fails > part': 'failed',
      'is to do > part': 'passed',
      'a block that throws > test': 'blocked',
      'a block with > test': 'passed',
      'a block with > a block that throws within > test': 'blocked',
      'a slow block > quick test': 'passed',
      'a slow block > slow test': 'blocked',
      'hooks > test': 'blocked',
      'throws when it has ended': 'passed',
      'waits for that': 'passed',
    })
    expect(await scenario.suiteErrors()).toEqual([
      'a block that throws at once: nothing at all',
      'a block that throws: no fixtures',
      'a block with > a block that throws within: no fixtures within',
      'a slow block: test timed out after 100ms',
      expect.stringMatching(/^tests\/parents\.test\.js: Error: Test "throws when it has ended" .*"Error: late"/),
    ])
  })
})

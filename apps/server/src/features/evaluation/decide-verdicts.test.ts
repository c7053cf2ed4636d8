import { describe, expect, it } from 'vitest'

import { holdsFor, matchesPattern } from './quarantined-branches.ts'
import { decideVerdicts, type FailureRef, type TestEvidence, type VerdictContext } from './decide-verdicts.ts'

const failure = (name: string, isWeak = false): FailureRef => ({
  signature: name.padEnd(32, '0'),
  kind: name,
  message: `${name} of the cart was not found`,
  isWeak,
  exactMessage: null,
})
const A = failure('TypeError')
const B = failure('RangeError')

/** Says too little: only its values tell it from others of its test. */
const bare = (value: number): FailureRef => ({
  ...failure('Bare', true),
  exactMessage: `expected:<1> but was:<${value}>`,
})

const failed = (fields: Partial<TestEvidence> = {}): TestEvidence => ({
  testId: 't',
  status: 'failed',
  isFlaky: false,
  failure: A,
  quarantineId: null,
  base: null,
  firstBaseStatus: null,
  isNewTest: false,
  knownFlakes: [],
  ...fields,
})
const red = (of: FailureRef | null) => ({ runId: 'base', hasFailed: true, failure: of })
const green = { runId: 'base', hasFailed: false, failure: null }
const PR: VerdictContext = { hasBase: true, isOfBaseBranch: false }
const MAIN: VerdictContext = { hasBase: true, isOfBaseBranch: true }

const decide = async (test: TestEvidence, context = PR): Promise<string | undefined> => {
  const [decided] = await decideVerdicts([test], context)
  return decided && `${decided.verdict}${decided.blocks ? '!' : ''}`
}

/** Everything that a verdict further down needs, so that only the order decides. */
const EVERYTHING = { quarantineId: 'q', base: red(A), knownFlakes: [A], isNewTest: true } as const

describe('decideVerdicts', () => {
  it.each<[string, TestEvidence, VerdictContext, string | undefined]>([
    ['passed after a failure', failed({ ...EVERYTHING, status: 'passed', isFlaky: true }), PR, 'flaked'],
    ['passed, and failed in the base run', failed({ ...EVERYTHING, status: 'passed', failure: null }), PR, 'fixed'],
    ['passed in both', failed({ status: 'passed', base: green }), PR, undefined],
    ['skipped', failed({ ...EVERYTHING, status: 'skipped' }), PR, undefined],
    ['failed, with an entry', failed(EVERYTHING), MAIN, 'quarantined'],
    ['blocked, with an entry', failed({ ...EVERYTHING, status: 'blocked' }), PR, 'quarantined'],
    ['blocked, and passed in the base run', failed({ status: 'blocked', firstBaseStatus: 'passed' }), PR, 'not_run!'],
    ['interrupted without a base outcome', failed({ status: 'interrupted' }), PR, 'not_run!'],
    ['blocked in both', failed({ status: 'blocked', firstBaseStatus: 'interrupted' }), PR, undefined],
    ['same failure', failed({ ...EVERYTHING, quarantineId: null }), PR, 'already_red'],
    ['same failure on the base branch', failed({ ...EVERYTHING, quarantineId: null }), MAIN, 'already_red!'],
    ['other failure', failed({ ...EVERYTHING, quarantineId: null, base: red(B) }), PR, 'changed!'],
    ['same values where these are all', failed({ failure: bare(2), base: red(bare(2)) }), PR, 'already_red'],
    ['other values where these are all', failed({ failure: bare(3), base: red(bare(2)) }), PR, 'changed!'],
    [
      'other values of a known flake',
      failed({ failure: bare(3), base: green, knownFlakes: [bare(2)] }),
      PR,
      'known_flaky!',
    ],
    ['base failure without a known text', failed({ base: red(null) }), PR, 'changed!'],
    ['flaked so before', failed({ base: green, knownFlakes: [B, A], isNewTest: true }), PR, 'known_flaky!'],
    ['flaked otherwise before', failed({ base: green, knownFlakes: [B] }), PR, 'new!'],
    ['newer than the base run', failed({ isNewTest: true }), PR, 'new_test!'],
    ['newer, without a base', failed({ isNewTest: true }), { hasBase: false, isOfBaseBranch: false }, 'new!'],
    ['passed in the base run', failed({ base: green, isNewTest: true }), PR, 'new!'],
  ])('decides the first verdict that holds: %s', async (_name, test, context, verdict) => {
    expect(await decide(test, context)).toBe(verdict)
  })

  it('takes a cause of 20 tests and half of the open failures for the environment, unless it is weak', async () => {
    const count = async (outage: number, others: number, cause = A) => {
      const tests = Array.from({ length: outage + others }, (_, index) =>
        failed({ testId: `t${index}`, failure: index < outage ? cause : failure(`Other${index}`) }),
      )
      // What is explained otherwise does not count.
      const explained = Array.from({ length: 50 }, (_, index) =>
        failed({ testId: `r${index}`, failure: B, base: red(B) }),
      )
      const verdicts = await decideVerdicts([...explained, ...tests], PR)
      return verdicts.filter(({ verdict, blocks }) => verdict === 'environment' && blocks).length
    }
    const counts = [count(20, 20), count(19, 0), count(20, 21), count(30, 0), count(30, 0, failure('Weak', true))]
    expect(await Promise.all(counts)).toEqual([20, 0, 0, 30, 0])
  })
})

describe('branches of a quarantine entry', () => {
  it.each([
    ['release/*', 'release/2.4', true],
    ['release/*', 'main', false],
    ['*', 'main', true],
    ['*-fix', 'a-fix', true],
    ['a*b*c', 'a1b2c', true],
    ['a*b*c', 'a1c', false],
    ['ab*ba', 'aba', false],
    ['main', 'main2', false],
    ['.*', 'main', false],
  ])('%s matches %s: %s', (pattern, branch, isMatch) => {
    expect(matchesPattern(pattern, branch)).toBe(isMatch)
  })

  it('hold for all branches if there are none, and for the branch of a run or of its pull request', () => {
    expect(holdsFor({ branches: [] }, [])).toBe(true)
    expect(holdsFor({ branches: ['main'] }, ['feature/x', 'main'])).toBe(true)
    expect(holdsFor({ branches: ['main'] }, ['feature/x'])).toBe(false)
  })
})

import { getTestOutcome } from '@caseward/matching/test-outcome'
import { describe, expect, it } from 'vitest'

import { parseJUnit } from './parse-junit.ts'
import { toReportedTests, type ToTestsOptions } from './to-tests.ts'

const yielder = { shouldYield: () => false, yield: () => Promise.resolve() }

/** The outcomes of the tests in a report. */
async function readOutcomes(xml: string, options?: ToTestsOptions): Promise<string[]> {
  const tests = await toReportedTests(await parseJUnit(xml), yielder, options)
  return tests.map(({ attempts }) => {
    const { status, isFlaky } = getTestOutcome(attempts)
    return isFlaky ? 'flaky' : status
  })
}

const CONTENT = { p: '', f: '<failure/>', s: '<skipped/>' }
type Letter = keyof typeof CONTENT
const testcase = (letter: Letter, inner = '', attributes = '') =>
  `<testcase classname="Cart" name="pays" ${attributes}>${inner}${CONTENT[letter]}</testcase>`
const suite = (...testcases: string[]) => `<testsuite name="Cart">${testcases.join('')}</testsuite>`
const property = (name: string, value: string) => `<properties><property name="${name}" value="${value}"/></properties>`

describe('tests of the same class and name in one suite', () => {
  it.each<[string, Letter[], string[]]>([
    ['a failure and a pass', ['f', 'p'], ['failed', 'passed']],
    ['a pass and a failure', ['p', 'f'], ['passed', 'failed']],
    ['rows of a table', ['p', 'f', 'p'], ['passed', 'failed', 'passed']],
    ['a skipped one and a pass', ['s', 'p'], ['skipped', 'passed']],
  ])('are several tests: %s', async (_what, letters, outcomes) => {
    expect(await readOutcomes(suite(...letters.map((letter) => testcase(letter))))).toEqual(outcomes)
  })

  it.each([
    ['retry', '1'],
    ['attempt', '2'],
    ['rerun', 'true'],
    ['flaky', 'yes'],
    ['Retry', '1'],
  ])('are attempts at one test with the property %s="%s" on the later one', async (name, value) => {
    expect(await readOutcomes(suite(testcase('f'), testcase('p', property(name, value))))).toEqual(['flaky'])
  })

  it.each([
    ['retry', '0'],
    ['rerun', 'false'],
    ['flaky', 'no'],
  ])('are several tests with the property %s="%s"', async (name, value) => {
    const testcases = [testcase('f', property(name, value)), testcase('p', property(name, value))]
    expect(await readOutcomes(suite(...testcases))).toEqual(['failed', 'passed'])
  })

  it('are as many tests as attempts begin at the first one', async () => {
    const rows = ['1', '2', '1', '2'].map((number, index) =>
      testcase(index % 2 === 0 ? 'f' : 'p', property('attempt', number)),
    )
    expect(await readOutcomes(suite(...rows))).toEqual(['flaky', 'flaky'])
  })

  it('are never attempts where a failure follows a pass, whatever the report says', async () => {
    const testcases = suite(testcase('p', property('attempt', '1')), testcase('f', property('attempt', '2')))
    expect(await readOutcomes(testcases)).toEqual(['passed', 'failed'])
    expect(await readOutcomes(suite(testcase('p'), testcase('f')), { equalNames: 'attempts' })).toEqual([
      'passed',
      'failed',
    ])
  })

  it('are several tests although each of them has retries inside', async () => {
    const flaky = testcase('p', '<flakyFailure/>')
    expect(await readOutcomes(suite(testcase('f', '<rerunFailure/>'), flaky))).toEqual(['failed', 'flaky'])
  })

  it('are attempts with the option equalNames', async () => {
    const xml = suite(testcase('f'), testcase('s'), testcase('p'))
    expect(await readOutcomes(xml, { equalNames: 'attempts' })).toEqual(['flaky'])
  })

  it('are several tests in a report of pytest although they are the same line of the same file', async () => {
    // pytest-xdist writes so what --dist=each has run with several versions of Python.
    const place = 'file="tests/test_cart.py" line="3"'
    expect(await readOutcomes(suite(testcase('f', '', place), testcase('p', '', place)))).toEqual(['failed', 'passed'])
  })

  it('share the ids in the properties of one of them', async () => {
    const xml = suite(testcase('p', property('test_case_id', 'WEB-1')), testcase('f'))
    const tests = await toReportedTests(await parseJUnit(xml), yielder)
    expect(tests.map(({ testCaseIds }) => testCaseIds)).toEqual([['WEB-1'], ['WEB-1']])
  })
})

describe('tests of the same class and name in a report of Gradle', () => {
  const gradle = (...names: [string, Letter][]) => {
    const testcases = names.map(
      ([name, letter]) => `<testcase name="${name}" classname="C">${CONTENT[letter]}</testcase>`,
    )
    const attributes =
      'tests="9" skipped="0" failures="0" errors="0" timestamp="2026-11-20T10:11:12" hostname="ci" time="1"'
    return `<testsuite name="C" ${attributes}><properties/>${testcases.join('')}</testsuite>`
  }

  it('are attempts where the failed tests of the first round follow it', async () => {
    expect(await readOutcomes(gradle(['a', 'f'], ['b', 'p'], ['c', 'f'], ['a', 'p'], ['c', 'f'], ['c', 'p']))).toEqual([
      'flaky',
      'passed',
      'flaky',
    ])
  })

  it.each<[string, [string, Letter][], string[]]>([
    [
      'other tests follow',
      [
        ['a', 'f'],
        ['a', 'p'],
        ['b', 'p'],
      ],
      ['failed', 'passed', 'passed'],
    ],
    [
      'a test that passed is repeated',
      [
        ['a', 'f'],
        ['b', 'p'],
        ['a', 'p'],
        ['b', 'p'],
      ],
      ['failed', 'passed', 'passed', 'passed'],
    ],
    [
      'a failed test is not repeated',
      [
        ['a', 'f'],
        ['b', 'f'],
        ['a', 'p'],
      ],
      ['failed', 'passed', 'failed'],
    ],
  ])('are several tests where %s', async (_what, names, outcomes) => {
    expect(await readOutcomes(gradle(...names))).toEqual(outcomes)
  })

  it('are several tests in a suite with properties, which another tool wrote', async () => {
    const xml = gradle(['a', 'f'], ['a', 'p']).replace('<properties/>', property('basedir', '/ci'))
    expect(await readOutcomes(xml)).toEqual(['failed', 'passed'])
  })
})
